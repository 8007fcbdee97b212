import { readFileSync } from 'node:fs';
import { type Declaration, json, needsTenant, print } from './declare.ts';
import { operate } from './operate.ts';
import { type ExitCode, type Terminal, UsageError } from './terminal.ts';

interface Options {
  readonly tenant: string;
  readonly json?: true;
}

type Given = Readonly<Record<'document_type' | 'version' | 'title' | 'text', unknown>>;

/** `documents show`: what is in force, and what it lacks. */
function show(terminal: Terminal, options: Options): ExitCode {
  const { tenant } = options;
  const answer = operate(terminal, 'documents', 'show', { tenant });
  const lines = answer.documents.map(({ document_type, version, sample, lacks }) => {
    const faults = [...(sample ? ['a sample'] : []), ...lacks.map((part) => `lacks ${part}`)];
    return `${document_type}  ${version}  ${faults.join(', ') || 'ready'}`;
  });
  const next = `Publish new versions with: documents publish FILE --tenant ${tenant}; --json prints them as a file has them`;
  return print(terminal, options, answer, [...lines, next]);
}

/** The contents of a file for each document; further fields of `documents show` are left out. */
function contentOf(file: string): object[] {
  try {
    const { documents } = JSON.parse(readFileSync(file, 'utf8')) as { documents: Given[] };
    return documents.map(({ document_type, version, title, text }) => ({
      document_type,
      version,
      title,
      text,
    }));
  } catch (error) {
    const hint = 'It holds {"documents": [...]}, as documents show --json prints it.';
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, hint);
  }
}

/** `documents publish`: new versions of one or more documents, from a file. */
function publish(terminal: Terminal, [file = '']: readonly string[], options: Options): ExitCode {
  const { tenant } = options;
  const given = { tenant, documents: contentOf(file) };
  const answer = operate(terminal, 'documents', 'publish', given);
  const lines = answer.published.map(
    ({ document_type, version, customers }) =>
      `${document_type}  ${version} is in force; customers to accept it: ${customers}`,
  );
  const before = answer.already.map(
    ({ document_type, version }) => `${document_type}  ${version} was in force already`,
  );
  return print(terminal, options, answer, [...before, ...lines]);
}

export function declareDocuments({ terminal, root, add }: Declaration): void {
  const documents = add(root, 'documents', 'the documents that customers accept', []);
  const flags = [needsTenant, json];
  add(documents, 'show', 'show what is in force and what it lacks', flags, (options: Options) =>
    show(terminal, options),
  );
  const about = 'publish new versions from a file';
  add(documents, 'publish <file>', about, flags, (options: Options, args) =>
    publish(terminal, args, options),
  );
}
