import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm run image` makes a container image of the release by buildah: Node, the libraries that it loads, and the
 * release. It holds no shell, no package manager and nothing from a registry of images.
 * @param `--node FILE` the Node to run; absent: the one that runs this
 * @param `--release FOLDER` where the release is packed
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const home = '/srv/tenant-payments';
const user = 10_001;

function argument(flag) {
  const at = process.argv.indexOf(flag);
  return at === -1 ? undefined : process.argv[at + 1];
}
const node = realpathSync(argument('--node') ?? process.execPath);

const buildah = (...args) => execFileSync('buildah', args, { encoding: 'utf8' }).trim();

/** The release that `npm run release` has packed. @throws when it has not */
function release() {
  const folder = argument('--release') ?? join(root, 'dist/release');
  const found = existsSync(folder) ? readdirSync(folder) : [];
  const archive = found.find((file) => file.endsWith('.tar.gz'));
  if (archive === undefined) throw new Error('no release is packed; run npm run release first');
  return join(folder, archive);
}

/** The libraries of a program, by the paths at which it looks for them; the loader is one. */
function librariesOf(program) {
  const text = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path);
}

/** Only numbers are looked at, but programs ask for the names. */
const accounts = {
  'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\npay:x:${user}:${user}:pay:${home}:/sbin/nologin\n`,
  'etc/group': `root:x:0:\npay:x:${user}:\n`,
  'etc/nsswitch.conf': 'hosts: files dns\n',
};

function layOut(folder) {
  const put = (from, to) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(from, join(folder, to), { dereference: true });
  };
  put(node, '/usr/local/bin/node');
  for (const path of librariesOf(node)) put(path, path);
  // The native file of argon2 and the name service load more than Node does.
  for (const path of librariesOf(node).filter((one) => one.endsWith('/libc.so.6')))
    for (const file of ['librt.so.1', 'libresolv.so.2', 'libnss_dns.so.2', 'libnss_files.so.2'])
      if (existsSync(join(dirname(path), file)))
        put(join(dirname(path), file), join(dirname(path), file));
  for (const [path, text] of Object.entries(accounts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(join(folder, home), { recursive: true });
  mkdirSync(join(folder, 'tmp'), { mode: 0o1777 });
  execFileSync('tar', [
    '-xzf',
    release(),
    '-C',
    join(folder, home),
    '--strip-components=1',
    '--no-same-owner',
  ]);
}

const settings = {
  HOST: '0.0.0.0',
  METRICS_HOST: '0.0.0.0',
  DRAIN_DELAY_SECONDS: '5',
  MALLOC_MMAP_THRESHOLD_: '131072',
};
const options = ['--max-semi-space-size=32', '--heap-growing-percent=150'];

/** @returns the name of the image */
function build() {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  const container = buildah('from', 'scratch');
  try {
    layOut(folder);
    buildah('copy', '--chown', '0:0', container, folder, '/');
    const env = Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const entry = JSON.stringify(['/usr/local/bin/node']);
    const cmd = [...options, 'dist/main.js'].join(' ');
    const facts = ['--user', `${user}:${user}`, '--workingdir', home, '--stop-signal', 'SIGTERM'];
    const ports = ['--port', '8080', '--port', '9464'];
    const labels = ['--label', `org.opencontainers.image.version=${version}`];
    buildah(
      'config',
      ...facts,
      ...ports,
      ...env,
      ...labels,
      '--entrypoint',
      entry,
      '--cmd',
      cmd,
      container,
    );
    const image = `localhost/${name}:${version}`;
    buildah('commit', '--quiet', container, image);
    return image;
  } finally {
    buildah('rm', container);
    rmSync(folder, { recursive: true });
  }
}

console.log(
  `${build()}, with Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`,
);
