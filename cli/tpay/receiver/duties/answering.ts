import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../post.ts';
import { setAll } from '../../resources/data.ts';
import type { Values } from '../events.ts';
import {
  fail,
  isRedirect,
  isTaken,
  type Judge,
  type Judged,
  notShown,
  pass,
  restless,
  said,
  settled,
  taken,
  unseen,
} from '../judges.ts';
import { atOnce, type Play } from '../play.ts';
import type { Duty } from './duty.ts';

/** Judges the answer to a valid event. */
const first =
  (judge: (answer: Answer) => Judged): Judge =>
  async (play) =>
    judge(await play.first());

/** Errors of node where a certificate does not hold. */
const ofTls = /CERT|SIGNED|SIGNATURE|ALTNAME|ISSUER|SSL|TLS/;

const certificate: Judge = async (play) => {
  if (!play.url.startsWith('https:')) return notShown('this address is http: give the https one');
  const { error } = await play.first();
  return error !== null && ofTls.test(error) ? fail(error) : pass('the connection came about');
};

/** Above it the service sends two at a time instead of sixteen (rules/webhooks#23). */
const promptMs = 1_000;

const together: Judge = async (play) => {
  const answers = (await play.burst()).map(({ answer }) => answer);
  const missing = answers.find(({ status }) => status === null);
  if (missing) {
    const count = answers.filter(({ status }) => status === null).length;
    return fail(`${count} of ${answers.length} were not answered: ${missing.error}`);
  }
  const times = answers.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b);
  const slowest = times.at(-1) ?? 0;
  const advice = slowest > promptMs ? '; above 1 s the service sends two at a time' : '';
  const half = times[Math.floor(times.length / 2)];
  return pass(`${times.length} events: half within ${half} ms, all within ${slowest} ms${advice}`);
};

const everyType: Judge = async (play) => {
  const sent = await play.burst();
  const refused = sent.filter(({ answer }) => !isTaken(answer));
  const [some] = refused;
  if (!some) return pass(`${sent.length} types`);
  const types = refused.map(({ delivery }) => delivery.as).join(', ');
  return fail(`${types}: ${said(some.answer)}`);
};

const longText = 'Two coffees and a cake. '.repeat(2_700);

/** Whether the effect is there when the answer is. What comes later may fail, and nothing would be sent again. */
async function effectBeforeAnswer(play: Play): Promise<Judged> {
  const ask = notShown('give --failing path=value, with which your handling of a payment fails');
  if (play.state === null) return ask;
  const before = await settled({ ...play, read: play.state });
  if (before === null) return restless;
  await play.send(play.sign('an event', play.people()('payment.completed')));
  if ((await play.state()) !== before) return ask;
  await sleep(play.effectMs);
  if ((await play.state()) === before) return ask;
  return fail('it was acknowledged before its effect, which may fail: only a durable queue may be');
}

const failedEffect: Judge = async (play) => {
  const { failing, sign, people } = play;
  if (failing === null) return effectBeforeAnswer(play);
  const event = people()('payment.completed');
  const object = setAll(event.data.object as Values, [failing]);
  const as = `a payment with ${failing}`;
  const answer = await play.send(sign(as, { ...event, data: { ...event.data, object } }));
  if (isTaken(answer)) return fail(`${as}: ${said(answer)}, so that it is not sent again`);
  return pass(`${as}: ${said(answer)}`);
};

/** Duties about answers: that they come, and when. */
export const answering: readonly Duty[] = [
  {
    id: 'certificate',
    duty: 'The address is https with a certificate that is trusted.',
    rule: 'rules/webhooks#16',
    needs: [],
    judge: certificate,
  },
  {
    id: 'in-time',
    duty: 'An event is answered within 10 seconds.',
    rule: 'rules/webhooks#2',
    needs: [],
    judge: first((answer) => {
      if (answer.late) return fail(said(answer));
      return answer.status === null
        ? notShown(said(answer))
        : pass(`after ${answer.duration_ms} ms`);
    }),
  },
  {
    id: 'no-redirect',
    duty: 'The address answers itself: redirects are not followed.',
    rule: 'rules/webhooks#2',
    needs: ['in-time'],
    judge: first((answer) => {
      if (isRedirect(answer)) return fail(`${said(answer)}: set the address that it points to`);
      return answer.status === null ? notShown(said(answer)) : pass('no redirect');
    }),
  },
  {
    id: 'acknowledges',
    duty: 'A valid event is answered with 2xx.',
    rule: 'rules/webhooks#2',
    needs: ['in-time', 'no-redirect'],
    judge: first((answer) => {
      if (isTaken(answer)) return pass(`answered ${answer.status}`);
      const hint = answer.status === null ? '' : ' (does it have this secret?)';
      return fail(said(answer) + hint);
    }),
  },
  {
    id: 'in-time-together',
    duty: `${atOnce} events at a time are each answered within 10 seconds.`,
    rule: 'rules/webhooks#23',
    needs: ['acknowledges'],
    judge: together,
  },
  {
    id: 'every-type',
    duty: 'An event of every type is acknowledged, also where nothing is to be done.',
    rule: 'rules/events#4',
    needs: ['in-time-together'],
    judge: everyType,
  },
  {
    id: 'large-body',
    duty: 'An event of 64 kB is acknowledged.',
    rule: 'rules/events#5',
    needs: ['acknowledges'],
    judge: taken(({ sign, people }) => [
      sign(
        'a long description',
        people()('payment.completed', { record: { description: longText } }),
      ),
    ]),
  },
  {
    id: 'header-case',
    duty: 'Names of headers are taken in upper and lower case.',
    rule: 'rules/webhooks#9',
    needs: ['acknowledges'],
    judge: taken(({ sign, people }) =>
      ['Service-Signature', 'SERVICE-SIGNATURE'].map((named) =>
        sign(named, people()('payment.completed'), { named }),
      ),
    ),
  },
  {
    id: 'content-type',
    duty: 'The type of the body may name its charset.',
    rule: 'rules/webhooks#9',
    needs: ['acknowledges'],
    judge: taken(({ sign, people }) => {
      const contentType = 'application/json; charset=utf-8';
      return [sign(contentType, people()('payment.completed'), { contentType })];
    }),
  },
  {
    id: 'failed-effect',
    duty: 'An event whose effect failed is not acknowledged, so that it is sent again.',
    rule: 'rules/webhooks#13',
    needs: ['acknowledges'],
    judge: failedEffect,
  },
  {
    id: 'catches-up',
    duty: 'After an outage, events that were missed are listed or sent again.',
    rule: 'rules/webhooks#32',
    needs: [],
    judge: unseen('no request shows it: stop your server, and see tpay events replay'),
  },
];
