import { randomBytes } from 'node:crypto';
import type { Sign, Twist } from '../deliveries.ts';
import { all, notShown, refused, taken, unseen } from '../judges.ts';
import type { Play } from '../play.ts';
import type { Duty } from './duty.ts';

const minute = 60;
const day = 86_400;

const wrongItem = () => `v1=${randomBytes(32).toString('hex')}`;
const otherSecret = () => `whsec_${randomBytes(32).toString('hex')}`;

type Signed = (as: string, twist?: Twist) => ReturnType<Sign>;

/** Signs an event of its own for each delivery. */
const each =
  (make: (signed: Signed, play: Play) => readonly ReturnType<Sign>[]) =>
  (play: Play): readonly ReturnType<Sign>[] =>
    make((as, twist) => play.sign(as, play.people()('payment.completed'), twist), play);

/** The same JSON in other bytes. */
const spaced = (play: Play) => JSON.stringify(play.people()('payment.completed'), null, 2);

/** Duties about the signature: what is to be refused, and what is not. */
export const signature: readonly Duty[] = [
  {
    id: 'refuses-forged',
    duty: 'A signature of another secret is refused with 4xx.',
    rule: 'rules/webhooks#12',
    needs: ['acknowledges'],
    judge: refused(
      each((signed) => [
        signed('signed with another secret', { secrets: [otherSecret()] }),
        signed('a made-up signature', { header: (right) => right.replace(/v1=.*/, wrongItem()) }),
      ]),
    ),
  },
  {
    id: 'refuses-unsigned',
    duty: 'An event without Service-Signature is refused with 4xx.',
    rule: 'rules/webhooks#12',
    needs: ['refuses-forged'],
    judge: refused(each((signed) => [signed('no Service-Signature', { header: null })])),
  },
  {
    id: 'refuses-malformed',
    duty: 'A Service-Signature of another form is refused with 4xx.',
    rule: 'rules/webhooks#9',
    needs: ['refuses-forged'],
    judge: refused(
      each((signed) => [
        signed('an empty Service-Signature', { header: () => '' }),
        signed('a signature without time', { header: (right) => right.replace(/^t=\d+,/, '') }),
        signed('a time without signature', { header: (right) => right.replace(/,v1=.*/, '') }),
        signed('a time that is no number', { header: (right) => right.replace(/^t=/, 't=x') }),
        signed('a signature that is no hex', {
          header: (right) => right.replaceAll(/v1=../g, 'v1=zz'),
        }),
      ]),
    ),
  },
  {
    id: 'refuses-tampered',
    duty: 'A body or time that was changed after signing is refused with 4xx.',
    rule: 'rules/webhooks#12',
    needs: ['refuses-forged'],
    judge: refused(({ sign, people }) => {
      const event = people()('payment.completed');
      const dearer = JSON.stringify(event).replace(/"amount":\d+/, '"amount":999900');
      const newTime = `t=${Math.floor(Date.now() / 1_000)}`;
      return [
        sign('another amount', event, { sends: dearer }),
        sign('a newer time for an old signature', event, {
          ageSeconds: 10 * minute,
          header: (right) => right.replace(/^t=\d+/, newTime),
        }),
      ];
    }),
  },
  {
    id: 'raw-body',
    duty: 'The signature is checked over the bytes that came, before they are parsed.',
    rule: 'rules/webhooks#12',
    needs: ['refuses-forged'],
    judge: all(
      taken((play) => [play.sign('JSON with line ends, as it was signed', spaced(play))]),
      refused((play) => {
        const sends = spaced(play);
        const signedAs = JSON.stringify(JSON.parse(sends));
        return [play.sign('JSON whose line ends were not signed', signedAs, { sends })];
      }),
    ),
  },
  {
    id: 'refuses-old',
    duty: 'A signature more than five minutes old is refused with 4xx.',
    rule: 'rules/webhooks#12',
    needs: ['refuses-forged'],
    judge: refused(
      each((signed) => [
        signed('a signature 6 minutes old', { ageSeconds: 6 * minute }),
        signed('a signature a day old', { ageSeconds: day }),
      ]),
    ),
  },
  {
    id: 'refuses-future',
    duty: 'A signature more than five minutes ahead is refused with 4xx.',
    rule: 'rules/webhooks#12',
    needs: ['refuses-forged'],
    judge: refused(
      each((signed) => [
        signed('a signature 6 minutes ahead', { ageSeconds: -6 * minute }),
        signed('a signature a day ahead', { ageSeconds: -day }),
      ]),
    ),
  },
  {
    id: 'tolerates-clock',
    duty: 'A signature less than five minutes from the clock is accepted.',
    rule: 'rules/webhooks#12',
    needs: ['refuses-forged'],
    judge: taken(
      each((signed) => [
        signed('a signature 4 minutes old', { ageSeconds: 4 * minute }),
        signed('a signature 4 minutes ahead', { ageSeconds: -4 * minute }),
      ]),
    ),
  },
  {
    id: 'any-item',
    duty: 'An event is accepted if any of its signatures is right.',
    rule: 'rules/webhooks#11',
    needs: ['refuses-forged'],
    judge: taken(
      each((signed) => [
        signed('the right signature behind another', {
          header: (right) => right.replace(',', `,${wrongItem()},`),
        }),
        signed('the right signature before another', {
          header: (right) => `${right},${wrongItem()}`,
        }),
        signed('the right signature between two others', {
          header: (right) => `${right.replace(',', `,${wrongItem()},`)},${wrongItem()}`,
        }),
      ]),
    ),
  },
  {
    id: 'rotation',
    duty: 'During a rotation, an event of either secret is accepted.',
    rule: 'rules/webhooks#20',
    needs: ['refuses-forged'],
    judge: async (play) => {
      if (play.secrets.length < 2) return notShown('give both secrets, with a comma between');
      const alone = taken(
        each((signed, { secrets }) =>
          secrets.map((secret, i) => signed(`signed with secret ${i + 1}`, { secrets: [secret] })),
        ),
      );
      return alone(play);
    },
  },
  {
    id: 'constant-time',
    duty: 'Signatures are compared in constant time.',
    rule: 'rules/webhooks#12',
    needs: [],
    judge: unseen('no request shows it: use timingSafeEqual, or the receiver of the SDK'),
  },
];
