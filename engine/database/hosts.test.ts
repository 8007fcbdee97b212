import { expect, test } from 'vitest';
import { asUrl, hostsFault, hostsOf, libpqHosts, wantsWrites } from './hosts.ts';

const both = asUrl('postgresql://u:p%40w@h1:5432,h2:5433/db?target_session_attrs=read-write');

test('an address of several hosts becomes one that URL reads, and each host one of its own', () => {
  expect(new URL(both).host).toBe('h1:5432');
  expect(wantsWrites(both)).toBe(true);
  expect(hostsOf(both)).toEqual([
    'postgresql://u:p%40w@h1:5432/db',
    'postgresql://u:p%40w@h2:5433/db',
  ]);
  expect(libpqHosts(both)).toEqual({ host: 'h1,h2', port: '5432,5433' });
});

test('an address of one host stays as it is', () => {
  for (const one of [
    'postgresql://u@h/db',
    'postgresql:///db?host=%2Frun%2Fpg',
    'postgresql://u@h:1/db?sslmode=require',
  ]) {
    expect(asUrl(one)).toBe(one);
    expect(hostsOf(one)).toEqual([one]);
    expect([hostsFault(one), wantsWrites(one)]).toEqual([null, false]);
  }
});

test.each([
  ['postgresql://u@h1,h2/db', 'several hosts'],
  ['postgresql://u@h1,h2/db?target_session_attrs=any', 'several hosts'],
  ['postgresql://u@h1/db?target_session_attrs=standby', 'must have one of these'],
  ['postgresql://u@h1:1,h2:x/db?target_session_attrs=read-write', 'each of its hosts'],
])('refuses %s: %s', (text, fault) => {
  expect(hostsFault(asUrl(text))).toContain(fault);
});
