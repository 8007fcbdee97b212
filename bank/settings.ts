import { resolve } from 'node:path';
import type { Behaviour } from './book/types.ts';

/** The settings of a bank's process. */
export interface Settings {
  /** Its journal, its keys. */
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  readonly playPort: number;
  readonly webhookUrl: string | null;
  readonly retryMs: number;
  readonly behaviour: Behaviour;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws one line that names the setting */
export function settingsOf(env: Environment): Settings {
  const whole = (name: string, otherwise: number): number => {
    const text = env[name] || String(otherwise);
    if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
    return Number(text);
  };
  const webhookUrl = env.BANK_WEBHOOK_URL || null;
  if (webhookUrl !== null && !URL.canParse(webhookUrl))
    throw new Error(`BANK_WEBHOOK_URL must be an address, not ${webhookUrl}`);
  return {
    folder: resolve(env.BANK_DIR || '.data/bank'),
    host: env.BANK_HOST || '127.0.0.1',
    port: whole('BANK_PORT', 9600),
    playPort: whole('BANK_PLAY_PORT', 9601),
    webhookUrl,
    retryMs: whole('BANK_RETRY_MS', 1_000),
    behaviour: {
      seed: 1,
      answer_after_ms: whole('BANK_ANSWER_MS', 200),
      late_ms: 5_000,
      answers: {},
      faults: {},
    },
  };
}
