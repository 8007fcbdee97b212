import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isElsewhere, scopeHeaders, shownScope } from './shown.ts';

const sources = ['staff', 'portal', 'console'].flatMap((folder) =>
  readdirSync(join('web', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => [name, readFileSync(join('web', folder, name), 'utf8')] as const),
);

test('a window is where its first scope is, whatever the session does later, and names it with every call', () => {
  expect([isElsewhere(null), shownScope(), scopeHeaders('t')]).toEqual([
    false,
    null,
    { 'tenant-id': 't' },
  ]);
  expect(['a', 'b', null, 'a'].map(isElsewhere)).toEqual([false, true, true, false]);
  expect(scopeHeaders()).toEqual({ 'session-scope': 'a' });
  expect(scopeHeaders('t')).toEqual({ 'session-scope': 'a', 'tenant-id': 't' });
});

test('portal and console ask the service by nothing that names no scope', () => {
  const asking = sources.filter(([, text]) => /\bfetch\(/.test(text));
  expect(asking.length).toBeGreaterThan(3);
  for (const [name, text] of asking) {
    const count = (form: RegExp) => [name, text.match(form)?.length];
    expect(count(/\bscopeHeaders\(/g)).toEqual(count(/\bfetch\(/g));
  }
  const byPage =
    /EventSource\(|XMLHttpRequest|sendBeacon|WebSocket|(?:href|src|action)=[^>\n]*\/portal\/api/;
  expect(sources.filter(([, text]) => byPage.test(text)).map(([name]) => name)).toEqual([]);
  const forms = sources.filter(([, text]) => /<form(?![\s\S]{0,80}onSubmit)/.test(text));
  expect(forms.map(([name]) => name)).toEqual([]);
});
