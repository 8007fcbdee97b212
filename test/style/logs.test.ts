import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourcesOf } from '../kit/plane_files.ts';

/** Programs that write the log; the command line and the tools of this repository speak to who runs them. */
const folders = ['adapters', 'backoffice', 'engine', 'fleet', 'service', 'start'];

/** The beginning of a call that writes a line. */
const writing = /\b(?:log|logger|plain|warn)\??(?:\.(?:trace|debug|info|warn|error|fatal))?\(/g;
/** A fault's own words: they may quote a request or a person. `faultFacts` gives what a line may hold. */
const ownWords =
  /\b(?:error|cause|err|fault|e|reason)(?: as \w+)?\)?\??\.(?:message|stack)\b|\bString\((?:error|err|e)\)/;

/** The text of a call, to the parenthesis that ends it. */
function callAt(text: string, from: number): string {
  let depth = 0;
  for (let at = text.indexOf('(', from); at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
}

const callsIn = (text: string): string[] =>
  [...text.matchAll(writing)].map(({ index }) => callAt(text, index));

/** rules/operations#88. */
test('no line of the log holds the message of an error', () => {
  const sources = sourcesOf(folders).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const calls = sources.flatMap(({ path, text }) => callsIn(text).map((call) => ({ path, call })));
  expect(calls.length).toBeGreaterThan(80);
  expect(calls.filter(({ call }) => ownWords.test(call))).toEqual([]);
});

test('a line that holds the message of an error is found, however it is written', () => {
  for (const line of [
    "log.warn({ reason: (error as Error).message }, 'x');",
    "service.log.warn('it failed: ' + (error as Error).message);",
    'log((error as Error).message);',
    "log.error({ alarm: 'x', why: error.message }, 'x');",
    "log.warn({ reason: String(error) }, 'x');",
  ])
    expect([line, callsIn(line).some((call) => ownWords.test(call))]).toEqual([line, true]);
  expect(
    callsIn("log.warn({ fault: faultFacts(error) }, 'x');").some((call) => ownWords.test(call)),
  ).toBe(false);
});
