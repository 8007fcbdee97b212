import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { runNode } from '../test/kit/processes/run_node.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const from = new URL('../scripts/build_compiled.mjs', import.meta.url).href;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tpay-compiled-'));
});

const imports = `import { importModule } from '${root}start/import_module.ts';`;

/** Builds a program that prints what this expression is, beside a module of its own. */
async function build(expression: string): Promise<void> {
  const [program, main] = [join(folder, 'program.ts'), join(folder, 'main.ts')];
  await writeFile(
    main,
    `import { loadService } from '${root}start/load_service.ts'; void loadService();`,
  );
  await writeFile(join(folder, 'other.mjs'), "export const other = await 'the other';");
  const prints = `void (async () => console.log(${expression}))();`;
  await writeFile(program, `${imports} ${prints}`);
  const { buildCompiled } = await import(from);
  await buildCompiled({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    outdir: folder,
    main,
    service: program,
    banner: '',
  });
}

const run = (...options: string[]) => runNode([...options, join(folder, 'main.js')], { cwd: root });
const keptFiles = async () => (await readdir(folder)).filter((name) => /\.js\.\w+-\d+/.test(name));
async function kept() {
  const [name = ''] = await keptFiles();
  const path = join(folder, name);
  return { path, file: (await stat(path)).ino, code: await readFile(path) };
}

test('a start runs the code that a start before it has compiled', async () => {
  await build(`'a sum: ' + ((a: number) => a + 1)(41)`);
  for (const round of [1, 2]) {
    expect(await run(), `${round}`).toEqual({ code: 0, stdout: 'a sum: 42\n', stderr: '' });
    expect(await keptFiles()).toHaveLength(1);
  }
  const before = await kept();
  expect(await run()).toMatchObject({ code: 0 });
  expect((await kept()).file).toBe(before.file);
});

test.each([
  ['damaged', async (path: string, code: Buffer) => writeFile(path, code.fill(0, code.length / 2))],
  ['cut short', async (path: string) => truncate(path, 400)],
  ['empty', async (path: string) => truncate(path, 0)],
])('kept code that is %s is compiled anew', async (_, spoil) => {
  await build(`'whole'`);
  await run();
  const before = await kept();
  await spoil(before.path, Buffer.from(before.code));
  expect(await run()).toEqual({ code: 0, stdout: 'whole\n', stderr: '' });
  const after = await kept();
  expect(after.file).not.toBe(before.file);
  expect(after.code.length).toBe(before.code.length);
});

test('a changed program and other options of Node have code of their own', async () => {
  await build(`'one'`);
  await run();
  await build(`'two'`);
  expect(await run()).toMatchObject({ stdout: 'two\n' });
  expect(await keptFiles()).toHaveLength(2);
  expect(await run('--no-opt')).toMatchObject({ stdout: 'two\n' });
  expect(await keptFiles()).toHaveLength(3);
});

test('where nothing can be kept, each start compiles', async () => {
  await build(`'compiled'`);
  await run();
  const { path } = await kept();
  await rm(path);
  await mkdir(path);
  for (const round of [1, 2])
    expect(await run(), `${round}`).toEqual({ code: 0, stdout: 'compiled\n', stderr: '' });
  expect(await keptFiles()).toHaveLength(1);
});

test('a package that is imported when it is needed is a file of its own', async () => {
  await build(`(await import('yaml')).parse('[the package]')[0]`);
  for (const round of [1, 2])
    expect(await run(), `${round}`).toMatchObject({ stdout: 'the package\n' });
  const names = await readdir(folder);
  expect(names).toContain('yaml.cjs');
  const script = names.find((name) => /^service-.*\.js$/.test(name)) ?? '';
  expect((await stat(join(folder, script))).size).toBeLessThan(10_000);
});

test('a bundle is strict, knows its own address and imports modules beside it', async () => {
  await build(`[
    (function (this: unknown) { return this; })() === undefined,
    import.meta.url.endsWith('.js'),
    (await importModule(new URL('other.mjs', import.meta.url).href)).other,
  ].join()`);
  for (const round of [1, 2])
    expect(await run(), `${round}`).toMatchObject({ stdout: 'true,true,the other\n' });
});
