import { alike, type Case, refused } from '../judge.ts';
import { factsOf, inner } from './fields.ts';
import { bodyText, type Draft, rawOf } from './requests.ts';

const invalid = (param: string | null, reason?: string) =>
  refused('parameter_invalid', param, reason ? { reason } : {});

const unusableTokens = (token: string): Readonly<Record<string, string | null>> => ({
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
});

function tokenCases(draft: Draft, token: string): Case[] {
  if (draft.endpoint.authenticated === false) return [];
  return Object.entries(unusableTokens(token)).map(([name, authorization]) => ({
    name,
    request: rawOf({ ...draft, authorization }),
    check: refused('authentication_required', null),
  }));
}

/** `quoted` is the IETF string form: its quotes are no part of the key. */
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
    if (idempotent !== 'none') return { name, request, check: invalid('Idempotency-Key') };
    return { name: `${name}, ignored`, request, other: rawOf(draft), check: alike };
  });
  if (idempotent !== 'required') return bad;
  const check = refused('idempotency_key_missing', null);
  return [{ name: 'no key', request: rawOf({ ...draft, key: null }), check }, ...bad];
}

const notObjects = ['[]', '[{}]', '"text"', '1', 'true'];
const notJson = ['{', '{"a":1,}', '{"a":NaN}', '{"a":1}{', "{'a':1}", '\u0000', '{"a":"\n"}'];

/** Cases of a body that is wrong as a whole. */
function bodyCases(draft: Draft): Case[] {
  const { endpoint, body = {} } = draft;
  if (endpoint.bodyType === 'form') return [];
  if (endpoint.method === 'GET')
    return ['{"a":1}', '{', '{"limit":1}'].map((text) => ({
      name: `a body ${text} of a GET`,
      request: rawOf(draft, text),
      other: rawOf(draft),
      check: alike,
    }));
  const wrong = (text: string, reason: string, name = JSON.stringify(text)): Case => ({
    name: `a body ${name}`,
    request: rawOf(draft, text),
    check: invalid(null, reason),
  });
  const typed = (type: string): Case => {
    const made = wrong(JSON.stringify(body), 'content_type', `of type ${type}`);
    const headers = { ...made.request.headers, 'content-type': type };
    return { ...made, request: { ...made.request, headers } };
  };
  return [
    ...notObjects.map((text) => wrong(text, 'type')),
    ...notJson.map((text) => wrong(text, 'malformed_json')),
    typed('text/plain'),
    typed('application/json; charset=utf-16'),
    wrong(JSON.stringify({ ...body, filler: 'x'.repeat(65_536) }), 'too_large', 'over 64 kB'),
  ];
}

const strangeNames = ['unknown_field', '__proto__', 'constructor', 'toString', 'a.b', '', 'ID'];

/** A field or a query parameter that the operation does not know. */
function unknownCases(draft: Draft): Case[] {
  const { endpoint, body = {} } = draft;
  const inQuery = strangeNames.filter(Boolean).map((name) => {
    const query = Object.fromEntries([...Object.entries(draft.query), [name, '1']]);
    const request = rawOf({ ...draft, query });
    return { name: `an unknown parameter ${name}`, request, check: invalid(name) };
  });
  if (endpoint.method === 'GET' || endpoint.bodyType === 'form') return inQuery;
  const objects = Object.entries(endpoint.body?.properties ?? {})
    .filter(([name, schema]) => body[name] && factsOf(inner(schema)).properties)
    .map(([name]) => name);
  const inBody = [undefined, ...objects].flatMap((name) =>
    strangeNames.map((strange) => {
      const fill = (mark: string) =>
        name === undefined
          ? { ...body, [mark]: 1 }
          : { ...body, [name]: { ...(body[name] as object), [mark]: 1 } };
      const param = name === undefined ? strange : `${name}.${strange}`;
      const request = rawOf(draft, bodyText(fill, JSON.stringify(strange)));
      return { name: `an unknown field ${param}`, request, check: invalid(param) };
    }),
  );
  return [...inQuery, ...inBody];
}

/** Cases of what can be wrong with a request of any operation: token, key, body, unknown fields. */
export const requestCases = (draft: Draft, token: string): Case[] => [
  ...tokenCases(draft, token),
  ...keyCases(draft),
  ...bodyCases(draft),
  ...unknownCases(draft),
];
