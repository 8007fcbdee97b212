import type { Case, Expectation } from './expectations.ts';
import { factsOf, inner } from './fields.ts';
import { bodyText, type Draft, rawOf } from './requests.ts';
import type { RawRequest } from './send.ts';

const invalid = (param: string | null, reason?: string): Expectation => ({
  kind: 'refused',
  codes: ['parameter_invalid'],
  param,
  ...(reason === undefined ? {} : { reason }),
});

function unusableTokens(token: string): Readonly<Record<string, string | null>> {
  return {
    'no token': null,
    'an empty token': 'Bearer ',
    'the scheme alone': 'Bearer',
    'another scheme': `Basic ${Buffer.from(token).toString('base64')}`,
    'no scheme': token,
    'two tokens': `Bearer ${token} ${token}`,
    'a token cut short': `Bearer ${token.slice(0, -1)}`,
    'a token with more': `Bearer ${token}A`,
    'a token in capitals': `Bearer ${token.toUpperCase()}`,
    'a made-up token': `Bearer tok_${'A'.repeat(64)}`,
    'a session token': `Bearer st_${'A'.repeat(64)}`,
    'an endless token': `Bearer ${'a'.repeat(8_000)}`,
  };
}

function tokenCases(draft: Draft, token: string): Case[] {
  if (draft.endpoint.authenticated === false) return [];
  return Object.entries(unusableTokens(token)).map(([name, authorization]) => ({
    name,
    request: rawOf({ ...draft, authorization }),
    expect: { kind: 'refused', codes: ['authentication_required'], param: null },
  }));
}

/** `quoted` is the IETF string form: its quotes are no part of the key (decisions 1.7). */
const badKeys: Readonly<Record<string, string>> = {
  'an empty key': '',
  'an empty key, quoted': '""',
  'a key with a space': 'a b',
  'a quoted key with a space': '"a b"',
  'a key with a tab': 'a\tb',
  'a key beyond ASCII': 'schlüssel',
  'a key of 256': 'k'.repeat(256),
  'a quoted key of 256': `"${'k'.repeat(256)}"`,
};

function keyCases(draft: Draft): Case[] {
  const { idempotent } = draft.endpoint;
  const bad = Object.entries(badKeys).map(([name, key]): Case => {
    const request = rawOf({ ...draft, key });
    if (idempotent !== 'none') return { name, request, expect: invalid('Idempotency-Key') };
    return { name: `${name}, ignored`, request, expect: { kind: 'like', other: rawOf(draft) } };
  });
  if (idempotent !== 'required') return bad;
  const missing: Expectation = { kind: 'refused', codes: ['idempotency_key_missing'], param: null };
  return [{ name: 'no key', request: rawOf({ ...draft, key: null }), expect: missing }, ...bad];
}

/** What is wrong with a body as a whole (decisions 1.0, General replies). */
function bodyCases(draft: Draft): Case[] {
  const { endpoint, body = {} } = draft;
  if (endpoint.bodyType === 'form') return [];
  if (endpoint.method === 'GET')
    return ['{"a":1}', '{', '{"limit":1}'].map((text) => ({
      name: `a body ${text} that nobody reads`,
      request: rawOf(draft, text),
      expect: { kind: 'like', other: rawOf(draft) },
    }));
  const typed = (type: string): RawRequest => {
    const raw = rawOf(draft, JSON.stringify(body));
    return { ...raw, headers: { ...raw.headers, 'content-type': type } };
  };
  const whole = ['[]', '[{}]', '"text"', '1', 'true'];
  const broken = ['{', '{"a":1,}', '{"a":NaN}', '{"a":1}{', "{'a':1}", '\u0000', '{"a":"\n"}'];
  return [
    ...whole.map((text) => ({ text, expect: invalid(null, 'type') })),
    ...broken.map((text) => ({ text, expect: invalid(null, 'malformed_json') })),
  ]
    .map(({ text, expect }): Case => {
      return { name: `a body ${JSON.stringify(text)}`, request: rawOf(draft, text), expect };
    })
    .concat([
      {
        name: 'a body of another type',
        request: typed('text/plain'),
        expect: invalid(null, 'content_type'),
      },
      {
        name: 'a body of another charset',
        request: typed('application/json; charset=utf-16'),
        expect: invalid(null, 'content_type'),
      },
      {
        name: 'a body over 64 kB',
        request: rawOf(draft, JSON.stringify({ ...body, filler: 'x'.repeat(65_536) })),
        expect: invalid(null, 'too_large'),
      },
    ]);
}

const strangeNames = ['unknown_field', '__proto__', 'constructor', 'toString', 'a.b', '', 'ID'];

/** A field or a query parameter that the operation does not know. */
function unknownCases(draft: Draft): Case[] {
  const { endpoint, body = {} } = draft;
  const inQuery = strangeNames
    .filter((name) => name !== '')
    .map((name): Case => {
      const query = Object.fromEntries([...Object.entries(draft.query), [name, '1']]);
      const request = rawOf({ ...draft, query });
      return { name: `an unknown parameter ${name}`, request, expect: invalid(name) };
    });
  if (endpoint.method === 'GET' || endpoint.bodyType === 'form') return inQuery;
  const held = Object.entries(endpoint.body?.properties ?? {}).filter(
    ([name, schema]) => body[name] && factsOf(inner(schema)).properties,
  );
  const places = [[], ...held.map(([name]) => [name])];
  const inBody = places.flatMap(([name]) =>
    strangeNames.map((strange): Case => {
      const fill = (mark: string) =>
        name === undefined
          ? { ...body, [mark]: 1 }
          : { ...body, [name]: { ...(body[name] as object), [mark]: 1 } };
      const param = name === undefined ? strange : `${name}.${strange}`;
      return {
        name: `an unknown field ${param}`,
        request: rawOf(draft, bodyText(fill, JSON.stringify(strange))),
        expect: invalid(param),
      };
    }),
  );
  return [...inQuery, ...inBody];
}

/** What can be wrong with a request whatever its operation: token, key, body, what nobody asked for. */
export const requestCases = (draft: Draft, token: string): Case[] => [
  ...tokenCases(draft, token),
  ...keyCases(draft),
  ...bodyCases(draft),
  ...unknownCases(draft),
];
