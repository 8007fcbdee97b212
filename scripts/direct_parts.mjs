import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Large parts of Mantine that few pages show. */
const rare = new Set(['NumberInput', 'Timeline']);

const indexForm = /^import \{([^}]*)\} from "(\.[^"]+)";$/gm;
const usedForm = /import \{([^}]*)\} from '@mantine\/core';/g;
const pageForm = /[\\/]web[\\/](?:staff|portal|console)[\\/].*\.tsx$/;

const namesOf = (text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The file of each part. */
function filesOf(root) {
  const index = join(root, 'node_modules/@mantine/core/esm/index.mjs');
  return new Map(
    [...readFileSync(index, 'utf8').matchAll(indexForm)].flatMap(([, names, path]) =>
      namesOf(names).map((name) => [name, join(dirname(index), path)]),
    ),
  );
}

/** The parts that some page shows, without the rare ones. */
function usualParts(root) {
  const web = join(root, 'web');
  const texts = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .map((path) => join(web, path))
    .filter((path) => pageForm.test(path))
    .map((path) => readFileSync(path, 'utf8'));
  const used = texts.flatMap((text) =>
    [...text.matchAll(usedForm)].flatMap(([, names]) => namesOf(names)),
  );
  return [...new Set(used)].filter((name) => !name.startsWith('type ') && !rare.has(name));
}

const line = (names, from) => `import { ${names} } from ${JSON.stringify(from)};`;

/**
 * Takes the rare parts from files of their own. From Mantine's one index all parts that any page shows would come with
 * the first one.
 */
export const directParts = (root) => ({
  name: 'direct-parts',
  setup({ onLoad, onResolve }) {
    const files = filesOf(root);
    const index = usualParts(root).map(
      (name) => `export { ${name} } from ${JSON.stringify(files.get(name))};`,
    );
    onResolve({ filter: /^@mantine\/core$/ }, () => ({
      path: 'usual',
      namespace: 'parts',
      sideEffects: false,
    }));
    onLoad({ filter: /./, namespace: 'parts' }, () => ({
      contents: index.join('\n'),
      resolveDir: root,
    }));
    onLoad({ filter: pageForm }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(usedForm, (_, names) => {
        const all = namesOf(names);
        const usual = all.filter((name) => !rare.has(name));
        const own = all.filter((name) => rare.has(name)).map((name) => line(name, files.get(name)));
        return [
          ...(usual.length > 0 ? [line(usual.join(', '), '@mantine/core')] : []),
          ...own,
        ].join(' ');
      }),
      loader: 'tsx',
    }));
  },
});
