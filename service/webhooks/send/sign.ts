import { createHmac } from 'node:crypto';

/**
 * The value of `Service-Signature` (rules/webhooks#9): one `v1` for each active secret, so that a
 * receiver that has any of them accepts the event during a rotation.
 * @param secrets as shown, prefix included; their UTF-8 bytes are the HMAC keys
 * @param unixSeconds real time, new for each attempt
 */
export function signature(body: string, secrets: readonly string[], unixSeconds: number): string {
  const signed = `${unixSeconds}.${body}`;
  const items = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`,
  );
  return [`t=${unixSeconds}`, ...items].join(',');
}
