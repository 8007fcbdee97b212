import { expect, test } from 'vitest';
import type { Messages } from '../service/rails/messages.ts';
import type { Rails } from '../service/rails/rails.ts';
import { aMessage } from '../test/kit/messages/message.ts';
import type { Opened } from './adapters.ts';
import { composedRails } from './outside.ts';

const heard: string[] = [];
const messagesOf = (name: string): Messages => ({
  async send() {
    heard.push(name);
    return { providerId: null };
  },
});
const others = {
  identity: { name: 'identity of others' },
  aggregator: { name: 'aggregator of others' },
  bank: { name: 'bank of others' },
  messages: messagesOf('others'),
  providers: [{ name: 'of-others' }],
  close: async () => void heard.push('others closed'),
} as unknown as Rails;

const opened = (ports: Opened['ports'], adapted: object): Opened => ({ ports, adapted });
const toMail = { email: 'ana@example.com' };
const toPhone = { mobile_number: '+12025550123' };

test('a port goes to the adapter that was chosen for it, and all others stay where they were', () => {
  const aggregator = { name: 'aggregator of an adapter' };
  const adapted = { aggregator, identity: { name: 'not chosen' }, providers: [{ name: 'own' }] };
  const rails = composedRails([opened(['aggregator'], adapted)], others);
  expect(rails.aggregator).toBe(aggregator);
  expect([rails.identity, rails.bank]).toEqual([others.identity, others.bank]);
  expect(rails.providers?.map(({ name }) => name)).toEqual(['of-others', 'own']);
});

test('mail goes by one adapter and text messages by another, or by those of the module', async () => {
  const mail = opened(['mail'], { mail: messagesOf('mail') });
  const sms = opened(['sms'], { sms: messagesOf('sms') });
  for (const [adapters, expected] of [
    [[], ['others', 'others']],
    [[mail], ['mail', 'others']],
    [[sms], ['others', 'sms']],
    [
      [mail, sms],
      ['mail', 'sms'],
    ],
  ] as const) {
    heard.length = 0;
    const { messages } = composedRails(adapters, others);
    await messages.send(aMessage({ id: '1', to: toMail }));
    await messages.send(aMessage({ id: '2', to: toPhone }));
    expect(heard).toEqual(expected);
  }
});

test('an adapter whose provider has the name of another is refused in one line', () => {
  const twin = opened(['aggregator'], { aggregator: {}, providers: [{ name: 'of-others' }] });
  expect(() => composedRails([twin], others)).toThrow('two providers are named of-others');
});

test('at the end module and adapters are closed', async () => {
  heard.length = 0;
  const adapted = { aggregator: {}, close: async () => void heard.push('adapter closed') };
  await composedRails([opened(['aggregator'], adapted)], others).close?.();
  expect(heard).toEqual(['others closed', 'adapter closed']);
});
