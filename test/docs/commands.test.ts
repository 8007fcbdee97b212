import { readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { alarmTexts } from '../../backoffice/contract/operate/alarm_texts.ts';
import { program } from '../../cli/run.ts';

/** Commands that pages name are those of the command line, with what it demands. */

const root = program({ env: {}, out: () => {}, err: () => {} }, () => {});
const prefix = 'npm run cli -- ';
const page = 'docs/guide/operating/commands.md';

const pagesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

interface Asked {
  readonly command: Command;
  readonly path: readonly string[];
  readonly rest: readonly string[];
}

/** The command that words name, and what is left of them. */
function askedBy(words: readonly string[]): Asked {
  let command = root;
  let at = 0;
  for (; ; at += 1) {
    const next = command.commands.find((one) => one.name() === words[at]);
    if (!next) return { command, path: words.slice(0, at), rest: words.slice(at) };
    command = next;
  }
}

/** A group of commands is none itself. */
const isGroup = ({ commands, options }: Command) => commands.length > 0 && options.length === 0;

/** The words of a command, without its comment and what a shell does with it. */
const wordsOf = (line: string): string[] =>
  line.replace(/\s+[#|>&;)].*$/s, '').match(/"[^"]*"|'[^']*'|\S+/g) ?? [];

/** Says what is wrong with a command. @param isTyped as a reader would type it: with all that it demands */
function faultsOf(words: readonly string[], isTyped: boolean): string[] {
  const { command, rest } = askedBy(words);
  if (command === root || isGroup(command)) return ['no such command'];
  const flags = rest.flatMap((word) => /^\[?(--[a-z-]+)/.exec(word)?.[1] ?? []);
  const known = command.options;
  const unknown = flags.filter((flag) => !known.some(({ long }) => long === flag));
  if (!isTyped) return unknown;
  const missing = known.filter(({ long, mandatory }) => mandatory && !flags.includes(long ?? ''));
  const valued = known.filter(({ required }) => required).map(({ long }) => long ?? '');
  const given = rest.filter(
    (word, place) => !word.startsWith('--') && !valued.includes(rest[place - 1] ?? ''),
  );
  const wanted = command.registeredArguments.filter(({ required }) => required);
  return [
    ...unknown.map((flag) => `no ${flag}`),
    ...missing.map(({ long }) => `without ${long}`),
    ...wanted.slice(given.length).map((argument) => `without <${argument.name()}>`),
  ];
}

/** The code of a page: lines of its blocks, and what stands between backticks. */
function codeOf(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```\w*[^\n]*\n(.*?)^ *```$/gms)].map(
    ([, code = '']) => code,
  );
  const lines = blocks.flatMap((code) => code.replaceAll('\\\n', ' ').split('\n'));
  const prose = text.replaceAll(/^ *```.*?^ *```$/gms, '');
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  return [...lines, ...spans.map((span) => span.replaceAll(/\s+/g, ' '))];
}

/** The commands in a piece of code: after the prefix, or a command of a group with flags, as pages shorten them. */
function commandsIn(code: string): string[][] {
  const whole = code.split(prefix).slice(1).map(wordsOf);
  if (whole.length > 0) return whole;
  const words = wordsOf(code);
  return askedBy(words).path.length > 1 && /\s--/.test(code) ? [words] : [];
}

const faultsIn = (name: string, text: string, isTyped: boolean): string[] =>
  codeOf(text)
    .flatMap(commandsIn)
    .flatMap((words) =>
      faultsOf(words, isTyped).map((fault) => `${name}: ${words.join(' ')}: ${fault}`),
    );

test('a command that a guide or an alarm names is one, and has what it demands', () => {
  const pages = [...pagesIn('docs/guide'), 'README.md', 'CONTRIBUTING.md'];
  const texts = pages.map((name) => [name, readFileSync(name, 'utf8')] as const);
  const alarms = alarmTexts.map(
    ({ alarm, means, remedy }) => [alarm, `${means} ${remedy}`] as const,
  );
  const all = [...texts, ...alarms];
  expect(all.flatMap(([, text]) => codeOf(text).flatMap(commandsIn)).length).toBeGreaterThan(80);
  expect(all.flatMap(([name, text]) => faultsIn(name, text, true))).toEqual([]);
});

test('a rule gives a command no flag that it does not have', () => {
  const wrong = [...pagesIn('docs/rules'), 'docs/changelog.md'].flatMap((name) =>
    // `list|create`: the first of several.
    faultsIn(name, readFileSync(name, 'utf8').replaceAll(/\b\|\w+/g, ''), false),
  );
  expect(wrong).toEqual([]);
});

test('a command without a flag that it demands is found, and one with another command’s flag', () => {
  for (const line of [
    'npm run cli -- ledger take-back --proof ID',
    'ledger take-back --proof ID',
    'npm run cli -- tenants create --name "Shop" --tenant ID',
    'npm run cli -- settings set --tenant ID',
    'npm run cli -- restores begin',
  ])
    expect([line, faultsIn('', `\`${line}\``, true)]).not.toEqual([line, []]);
  expect(faultsIn('', "`npm run cli -- settings set 'a=1' --tenant ID`", true)).toEqual([]);
});

/** Every command with the words that call it. */
const leaves = (command: Command, path: readonly string[] = []): string[][] => [
  ...(command === root || isGroup(command) ? [] : [[...path]]),
  ...command.commands.flatMap((one) => leaves(one, [...path, one.name()])),
];

test('the page of the command line names every command: in a line, or as another one of its group', () => {
  const lines = codeOf(readFileSync(page, 'utf8')).filter((line) => line.startsWith(prefix));
  const named = lines.map((line) => {
    const [, comment = ''] = /\s#\s(.*)$/.exec(line) ?? [];
    return { path: askedBy(wordsOf(line.slice(prefix.length))).path, comment };
  });
  const isNamed = (command: readonly string[]) =>
    named.some(({ path, comment }) => {
      if (path.join(' ') === command.join(' ')) return true;
      const group = command.slice(0, -1).join(' ');
      const isOfGroup =
        group !== '' && [path, path.slice(0, -1)].some((one) => one.join(' ') === group);
      return isOfGroup && comment.split(/[^a-z-]+/).includes(command.at(-1) ?? '');
    });
  const all = leaves(root);
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter((command) => !isNamed(command)).map((command) => command.join(' '))).toEqual(
    [],
  );
});
