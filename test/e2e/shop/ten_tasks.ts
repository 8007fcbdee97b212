import { sampleOf } from '../../kit/pages/browser/hands.ts';
import { samplePin } from './shop.ts';
import type { Person } from './tasks.ts';

/** The ten tasks, each as it is done without a mistake and without a detour. */

/** Ana's PIN after the task that resets it. */
const newPin = '847261';
const code = '000000';
const birthDate = '1987-03-14';
const identity = { birth_date: birthDate, ssn: '521739846' };
const name = { first_name: 'Dana', last_name: 'Reyes' };
const home = { line1: '7 Main Street', city: 'New York', state: 'NY', postal_code: '10001' };

interface Task {
  readonly title: string;
  /** Done at Corner Shop; else on a hosted page alone, which the Tenant opens. */
  readonly at: 'shop' | 'individual' | 'business';
  /** @param pin that Ana has by now */
  readonly run: (person: Person, pin: string) => Promise<void>;
}

/** Enters the PIN on a hosted page, presses the button that names the amount, and goes back. */
async function confirm({ hosted, t, press, write }: Person, pin: string): Promise<void> {
  await write(hosted.locator('#field-pin'), pin);
  await press(hosted.getByRole('button', { name: /\$/ }));
  await press(hosted.getByRole('button', { name: t.common.done, exact: true }));
}

async function scan({ shop, press }: Person): Promise<void> {
  await press(shop.phone.titles.pay);
  await press(shop.phone.scanTill);
}

async function buy(person: Person, pin: string): Promise<void> {
  await scan(person);
  await confirm(person, pin);
}

async function addMoney(person: Person, pin: string): Promise<void> {
  const { shop, phone, press } = person;
  await press(shop.phone.titles.add);
  await press('$50');
  await press(phone.getByRole('button', { name: /\$50\.00/ }));
  await confirm(person, pin);
}

async function wrongPin(person: Person): Promise<void> {
  const { hosted, t, press, answer, write } = person;
  await scan(person);
  for (const left of [4, 3, 2, 1, 0]) {
    await write(hosted.locator('#field-pin'), '111222');
    await press(hosted.getByRole('button', { name: /\$/ }));
    const said = left > 0 ? t.common.attempts[left] : t.confirm.lockedTitle;
    await hosted
      .getByText(said ?? '')
      .first()
      .waitFor();
  }
  await answer({}, t.confirm.resetPin);
  await answer({}, t.codes.send);
  await answer({ code }, t.codes.check);
  await answer({ birthDate, last4: '9846' }, t.common.next);
  await answer({ pin: newPin, repeated: newPin }, t.pinReset.set);
  await hosted.getByText(t.confirm.resetDone).waitFor();
  await confirm(person, newPin);
}

async function refund(person: Person): Promise<void> {
  const { till, shop, press } = person;
  await press(till.getByText(shop.till.refund, { exact: true }));
  await press(till.getByRole('button', { name: /\$/ }).last());
  await confirm(person, samplePin);
}

async function dispute({ phone, shop, press, write }: Person): Promise<void> {
  const payment = phone.getByRole('button', { name: `· ${shop.phone.kinds.payment_sent}` });
  await press(payment.first());
  await press(shop.phone.report);
  await write(phone.getByLabel(shop.phone.happened), 'x');
  await press(shop.phone.send);
  await phone.getByText(shop.phone.received).waitFor();
}

/**
 * Applies, from the code to the number to the end; a person opens a sample statement, a shop does
 * not.
 */
async function apply({ hosted, t, press, answer }: Person, opensSample: boolean): Promise<void> {
  await answer({}, t.codes.send);
  await answer({ code }, t.codes.check);
  if (opensSample) await press(sampleOf(hosted));
  await press(hosted.locator('input[name="accepts"]'));
  await answer({}, t.common.next);
  await answer({ pin: newPin, repeated: newPin }, t.common.next);
  await answer({}, t.onboarding.submit);
  await hosted.getByText(t.onboarding.doneTitle).waitFor();
}

async function onboardPerson(person: Person): Promise<void> {
  const { t, answer } = person;
  await answer({ ...name, ...identity }, t.common.next);
  await answer(home, t.common.next);
  await apply(person, true);
}

async function onboardShop(person: Person): Promise<void> {
  const { hosted, t, press, answer } = person;
  const facts = { legal_name: 'Corner Books LLC', trading_name: 'Corner Books' };
  const kind = { industry: 'accommodation_food_services', ein: '937461825' };
  await answer({ ...facts, ...kind }, t.common.next);
  await answer(home, t.common.next);
  const owners = [
    ['Dana Reyes', 'owner_and_control_person', '60'],
    ['Cy Reyes', 'owner', '40'],
  ] as const;
  for (const [owner, role, percent] of owners) {
    await answer({}, t.business.addPresent);
    await press(hosted.locator(`input[name="role"][value="${role}"]`));
    await answer({ name: owner, percent }, t.common.next);
    await answer(identity, t.common.next);
    await answer(home, t.business.addPerson);
    await hosted.getByText(owner).first().waitFor();
  }
  await answer({}, t.common.next);
  await apply(person, false);
}

async function changeNumber(person: Person, pin: string): Promise<void> {
  const { hosted, t, shop, mobile, press, answer } = person;
  await press(shop.phone.titles.more);
  await press(shop.phone.contact);
  await press(hosted.locator('input[name="what"][value="mobile"]'));
  await answer({ mobile }, t.common.next);
  await answer({}, t.codes.send);
  await answer({ code }, t.codes.check);
  await answer({ pin }, t.contact.change);
  await answer({}, t.common.done);
}

async function acceptTerms({ t, shop, press, answer }: Person): Promise<void> {
  await press(shop.phone.readTerms);
  await answer({}, t.terms.accept);
  await answer({}, t.common.done);
}

async function linkSecondBank({ hosted, t, shop, press, answer }: Person): Promise<void> {
  await press(shop.phone.titles.more);
  await press(shop.phone.titles.bank);
  await press(shop.phone.remove);
  await press(shop.phone.linkAccount);
  await press(hosted.locator('button.bank').nth(1));
  await answer({}, t.bank.yes);
  await answer({}, t.common.done);
}

export const tasks = {
  buy: { title: 'Buy a coffee at the till', at: 'shop', run: buy },
  dispute: { title: 'Report a problem with a payment', at: 'shop', run: dispute },
  add: { title: 'Add money from the bank', at: 'shop', run: addMoney },
  reset: { title: 'Five wrong PINs, a new PIN, and the purchase', at: 'shop', run: wrongPin },
  refund: { title: 'Refund a purchase at the till', at: 'shop', run: refund },
  person: { title: 'Open an account as a person', at: 'individual', run: onboardPerson },
  business: {
    title: 'Open an account as a shop with two owners',
    at: 'business',
    run: onboardShop,
  },
  number: { title: 'Change the phone number', at: 'shop', run: changeNumber },
  terms: { title: 'Accept new terms', at: 'shop', run: acceptTerms },
  bank: { title: 'Replace the bank account by a second one', at: 'shop', run: linkSecondBank },
} as const satisfies Record<string, Task>;
export type TaskName = keyof typeof tasks;
export { newPin };
