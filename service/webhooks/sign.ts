import { createHmac } from 'node:crypto';

/**
 * The value of `Service-Signature` (contract: Signature): one `v1` for each active secret, so that
 * a receiver that holds any of them accepts the event while they are rotated.
 * @param secrets as shown, prefix included; their UTF-8 bytes are the keys (decisions 1.1)
 * @param unixSeconds real time, fresh for each attempt
 */
export function signature(body: string, secrets: readonly string[], unixSeconds: number): string {
  const signed = `${unixSeconds}.${body}`;
  const items = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`,
  );
  return [`t=${unixSeconds}`, ...items].join(',');
}
