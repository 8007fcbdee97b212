import ts from 'typescript';
import { page } from '../tables/markdown.ts';
import { exportsOf, type PackageExport, textOf } from './declarations.ts';
import { namedSchemas, rows } from './names.ts';

const block = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;
const entry = (title: string, text: string, code: string): string =>
  [`### ${title}`, text, block(code)].filter((part) => part !== '').join('\n\n');
const section = (title: string, intro: string, all: readonly PackageExport[]): string =>
  [`## ${title}`, intro, ...all.map(({ name, text, code }) => entry(name, text, code))]
    .filter((part) => part !== '')
    .join('\n\n');

/** Each method of the client, from the interface that describes them all. */
function methodsSection(resources: PackageExport): string {
  const members = (node: ts.Node): readonly ts.TypeElement[] =>
    ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node) ? node.members : [];
  const methods = members(resources.node).flatMap((group) => {
    const type = ts.isPropertySignature(group) ? group.type : undefined;
    return (type ? members(type) : []).map((method) =>
      entry(
        `${group.name?.getText()}.${method.name?.getText()}`,
        textOf(method),
        method.getText().replace(/;$/, ''),
      ),
    );
  });
  return ['## Methods of the client', ...methods].join('\n\n');
}

/** How all values of a package are imported, a line each where they are many. */
function imported(from: string, all: readonly PackageExport[]): string {
  const names = all.map(({ name }) => name);
  const [open, close] = names.length > 4 ? ['\n  ', ',\n'] : [' ', ' '];
  return block(
    `import {${open}${names.join(names.length > 4 ? ',\n  ' : ', ')}${close}} from '${from}';`,
  );
}

const isError = ({ kind, name }: PackageExport) => kind === 'class' && name.endsWith('Error');
const isValue = ({ kind }: PackageExport) => kind !== 'type';

async function serverPage(): Promise<string> {
  const all = await exportsOf('sdk/server', 'index', ['index']);
  const records = new Set([...namedSchemas('reply').keys(), 'List']);
  const params = new Set([
    ...rows.flatMap(({ params }) => params ?? []),
    ...namedSchemas('request').keys(),
  ]);
  const resources = all.find(({ name }) => name === 'Resources');
  if (!resources) throw new Error('the SDK exports its methods as Resources');
  const others = all.filter(
    (one) => !isValue(one) && one !== resources && !records.has(one.name) && !params.has(one.name),
  );
  const named = (names: ReadonlySet<string>) => all.filter(({ name }) => names.has(name));
  const values = all.filter(isValue);
  return page(
    'Names of the server SDK',
    `Made from its code; [how it is used](../../sdk/server/README.md).\n\n${imported('@tenant-payments/sdk-server', values)}`,
    section(
      'Functions',
      '',
      values.filter((one) => !isError(one)),
    ),
    methodsSection(resources),
    section('Errors', 'In the order of their status.', values.filter(isError)),
    section('Options and results', '', others),
    section('Records', 'What the methods return.', named(records)),
    section('Parameters', 'The body or the query of each method.', named(params)),
  );
}

async function browserPage(): Promise<string> {
  const entries = ['index', 'react'];
  const all = await exportsOf('sdk/browser', 'index', entries);
  const react = await exportsOf('sdk/browser', 'react', entries);
  const name = '@tenant-payments/sdk-browser';
  return page(
    'Names of the browser SDK',
    `Made from its code; [how it is used](../../sdk/browser/README.md).`,
    section('Functions', imported(name, all.filter(isValue)), all.filter(isValue)),
    section('React', imported(`${name}/react`, react.filter(isValue)), react),
    section(
      'Options and results',
      '',
      all.filter((one) => !isValue(one)),
    ),
  );
}

/** The pages of docs/reference about the SDKs. */
export const sdkPages = async (): Promise<Readonly<Record<string, string>>> => ({
  'sdk-server.md': await serverPage(),
  'sdk-browser.md': await browserPage(),
});
