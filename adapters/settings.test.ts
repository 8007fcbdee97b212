import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from '../service/config/config.ts';
import { adapterSettings } from './settings.ts';

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    parseConfig(env, adapterSettings);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

const MAIL_FROM = 'no-reply@pay.example';

test('a MAIL that is no address is a fault of that setting, and its value is not shown', () => {
  for (const MAIL of [
    'smtp://user:hunter2/@mail.example:587',
    'smtp://user:1#hunter2@mail.example',
    'smtp://mail.example:99999',
    'smtp://user:hunter2%zz@mail.example',
    'smtps://',
    'smtps://mail.example/hunter2',
  ]) {
    const faults = faultsOf({ MAIL, MAIL_FROM });
    expect([MAIL, faults]).toEqual([MAIL, [expect.stringMatching(/^MAIL must be such as smtp:/)]]);
    expect(faults.join()).not.toContain('hunter2');
  }
  for (const MAIL of [
    'smtp://mail.example',
    'smtp://user:p%40ss%23@mail.example:587',
    'smtps://[::1]:465/',
  ])
    expect([MAIL, faultsOf({ MAIL, MAIL_FROM })]).toEqual([MAIL, []]);
});

test('an address of the text messages that cannot be parsed is a fault of its setting', () => {
  const twilio = {
    SMS: 'twilio',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: '0'.repeat(32),
    TWILIO_MESSAGING_SERVICE_SID: `MG${'0'.repeat(32)}`,
  };
  expect(faultsOf(twilio)).toEqual([]);
  expect(faultsOf({ ...twilio, TWILIO_API_URL: 'https://api.example:99999' })).toEqual([
    expect.stringMatching(/^TWILIO_API_URL must be an origin/),
  ]);
});
