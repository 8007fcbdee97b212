import type { Answer, Sender } from '../webhooks/send/send.ts';
import type { Meters } from './meters.ts';

/** Few results, whatever a receiver answers and however its network fails. */
function resultOf({ status, error }: Answer): string {
  if (status === null) return error === 'timeout' ? 'timeout' : 'no_answer';
  return status >= 200 && status <= 299 ? 'delivered' : `${Math.floor(status / 100)}xx`;
}

/** The same sender, measured. */
export function meterSender(meters: Meters, sender: Sender): Sender {
  const { attempts, attemptSeconds, attemptsInFlight } = meters;
  return {
    ...sender,
    async send(url, headers, body) {
      attemptsInFlight.inc();
      const answer = await sender.send(url, headers, body).finally(() => attemptsInFlight.dec());
      attempts.inc({ result: resultOf(answer) });
      attemptSeconds.observe(answer.durationMs / 1_000);
      return answer;
    },
  };
}
