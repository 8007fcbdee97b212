import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../site/texts.mjs';

/** Maps of sources, code that V8 has compiled, what only a build or the embedded PostgreSQL reads, and older releases. */
const leftOut = /\.map$|^service-[^/]+\.js\.|^prepare_cluster|^postgres|^release\//;

/** The fonts of statements (rules/reports#26), by the files that `font_files.ts` opens. */
const fonts = {
  '@fontsource/dejavu-sans': /^files\/dejavu-sans-latin-400-normal\.woff2$/,
  '@fontsource-variable/noto-sans-sc':
    /^(?:unicode\.json|files\/noto-sans-sc-\d+-wght-normal\.woff2)$/,
  '@fontsource-variable/noto-sans-kr':
    /^(?:unicode\.json|files\/noto-sans-kr-\d+-wght-normal\.woff2)$/,
};

function below(folder, to, isIn) {
  return filesBelow(folder)
    .filter(isIn)
    .map((path) => ({ path: `${to}/${path}`, bytes: readFileSync(join(folder, path)) }));
}

const programs = (root) => below(join(root, 'dist'), 'dist', (path) => !leftOut.test(path));

const fontFiles = (root) =>
  Object.entries(fonts).flatMap(([name, wanted]) =>
    below(join(root, 'node_modules', name), `dist/fonts/${name}`, (path) => wanted.test(path)),
  );

/** The example shop shows its own source. */
const shop = (root) =>
  below(
    join(root, 'examples/corner-shop'),
    'examples/corner-shop',
    (path) => /^(?:dist|server|demo|page)\/|^\w+\.ts$/.test(path) && !/\.test\.ts$/.test(path),
  );

/** The files that a deployment begins with. */
const deploy = (root) => below(join(root, 'deploy'), 'deploy', () => true);

/** The licence of every package that runs, as the package brings it. */
function licences(root, components) {
  return components.flatMap(({ name, version }) => {
    const folder = join(root, 'node_modules', name);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names
      .filter((one) => /^(?:licen[cs]e|notice|copying)/i.test(one) && !/\.[cm]?[jt]s$/.test(one))
      .map((one) => ({
        path: `licences/${name.replace('/', '+')}-${version}/${one}`,
        bytes: readFileSync(join(folder, one)),
      }));
  });
}

/** The API reference of the documentation is no package. */
const reference = (root) => [
  {
    path: 'licences/scalar/LICENSE',
    bytes: readFileSync(join(root, 'site/vendor/scalar/LICENSE')),
  },
];

/** @returns all files of a release but the native ones */
export function contents(root, components) {
  return [
    ...programs(root),
    ...fontFiles(root),
    ...shop(root),
    ...deploy(root),
    ...licences(root, components),
    ...reference(root),
  ];
}
