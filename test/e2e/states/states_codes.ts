import { sessionFor } from './states_confirm.ts';
import { checkCode, codeStep } from './states_onboarding.ts';
import { pressed, type Step, type Walk, type Walker } from './walker.ts';

/** The ways in which a code that was sent fails. */

const again = pressed((t) => t.codes.again);
const tryCode = async (walker: Walker, code: string): Promise<void> => {
  const reply = walker.page.waitForResponse('**/hosted/api/code/check');
  await checkCode(code)(walker);
  await reply;
};

async function later({ page, web }: Walker, seconds: number): Promise<void> {
  await web.api.advance(seconds);
  await page.clock.fastForward(seconds * 1_000);
}

const sent: readonly Step[] = [
  [
    'send_code',
    async ({ web, page, open }) => {
      await page.clock.install();
      await open(await sessionFor(web, 'pin_reset'));
    },
    (t) => t.codes.title.mobile,
  ],
  codeStep,
];

const tooManyTries: Step = [
  'too_many_tries',
  async (walker) => {
    for (let wrong = 1; wrong <= 6; wrong += 1) await tryCode(walker, '111111');
  },
  (t) => t.refusals.too_many_tries ?? '',
];
const tooManyCodes: Step = [
  'too_many_codes',
  async (walker) => {
    for (let more = 1; more <= 4; more += 1) {
      const reply = walker.page.waitForResponse('**/hosted/api/code');
      await again(walker);
      await reply;
    }
  },
  (t) => t.refusals.too_many_codes ?? '',
];
/**
 * The code expires: both clocks move on, and the acts in between keep the session alive, but not
 * the code.
 */
const expired: Step = [
  'expired',
  async (walker) => {
    await later(walker, 400);
    const alive = walker.page.waitForResponse('**/hosted/api/alive');
    await tryCode(walker, '111111');
    await alive;
    await later(walker, 200);
    await tryCode(walker, '000000');
  },
  (t) => t.refusals.code_expired ?? '',
];

/** Said where a screen reader hears it; the button keeps the focus. */
const sentAgain: Step = [
  'sent_again',
  async (walker) => {
    const { page, texts } = walker;
    await tryCode(walker, '111111');
    await again(walker);
    await page.getByRole('status').filter({ hasText: texts.codes.sentAgain }).waitFor();
    await page.locator('[aria-invalid]').waitFor({ state: 'detached' });
  },
  (t) => t.codes.sentAgain,
];

export const codeWalks: readonly Walk[] = [
  { name: 'code_wrong', steps: [...sent, tooManyTries] },
  { name: 'code_sent', steps: [...sent, sentAgain, tooManyCodes] },
];
export const lateCodeWalks: readonly Walk[] = [{ name: 'code_late', steps: [...sent, expired] }];
