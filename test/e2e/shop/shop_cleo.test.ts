import { test } from 'vitest';
import { sampleOf } from '../../kit/pages/browser/hands.ts';
import { samplePin as cafePin, visitShop } from './shop.ts';

/** A customer of the shop, from onboarding to a dispute; each test goes on where the one before ended. */

const { shop, answer, confirm, has, order, pays, play, reads, tap, tillSays } = await visitShop();

const firstPin = '847261';
const secondPin = '193847';

test('Cleo opens a wallet on the phone, and it is hers once the reviewer approves', async () => {
  await shop.phone.getByText('Cleo', { exact: true }).click();
  await tap('Open a wallet');
  const { hosted } = shop;
  await answer({ birth_date: '1987-03-14', ssn: '521739846' }, 'Continue');
  const home = { line1: '7 Main Street', city: 'New York', state: 'NY', postal_code: '10001' };
  await answer(home, 'Continue');
  await answer({}, 'Send code');
  await answer({ code: '000000' }, 'Verify code');
  await sampleOf(hosted).click();
  await hosted.locator('input[name="accepts"]').check();
  await answer({}, 'Continue');
  await answer({ pin: firstPin, repeated: firstPin }, 'Continue');
  await answer({}, 'Submit application');
  await answer({}, 'Done');
  await reads('We are checking your identity');
  await play('Approve');
  await has('$0.00');
  await reads('Link a bank account to add money.');
});

test('a bank account is linked at Sandbox Bank, and verified by the bank', async () => {
  await tap('Link a bank', 'Link a bank account');
  await shop.hosted.locator('button.bank').first().click();
  await answer({}, 'Share account');
  await answer({}, 'Done');
  await reads('The bank checks whose account it is.');
  await play('Bank verifies');
  await reads('verified');
  await tap('Done');
  await reads('No activity yet.');
});

test('money is added, and is there when the bank settles', async () => {
  await tap('Add money');
  await reads('At most $3,500.00 at a time and $5,000.00 a day.');
  const amount = shop.phone.getByLabel('Amount', { exact: true });
  await amount.fill('1,00');
  await reads('Put a period before the cents');
  await amount.fill('3,500.01');
  await reads('The most for one time is $3,500.00. Enter a smaller amount.');
  await tap('$50');
  await amount.fill('25.0');
  await tap('Add $25.00');
  await confirm(firstPin);
  await reads('Now it is the bank’s turn');
  await has('$0.00');
  await play('Bank settles');
  await has('$25.00');
});

test('an order paid by bank is opened, confirming, and paid when the bank has paid', async () => {
  await order('Avocado toast');
  await tap('Pay');
  await shop.phone.getByText('Bank', { exact: true }).click();
  await tap('Scan the till’s code');
  await tillSays(/is opened/);
  await confirm(firstPin);
  await tillSays(/is confirming/);
  await play('Bank settles');
  await tillSays(/is paid/);
  await shop.till.getByText('Paid by bank').waitFor();
  await has('$25.00');
});

test('a part is refunded and then the rest, each by the café’s own PIN', async () => {
  await shop.till.getByText('Refund', { exact: true }).click();
  await shop.till.getByLabel('Part of the amount').fill('2.50');
  await shop.till.getByRole('button', { name: 'Refund this part' }).click();
  await confirm(cafePin);
  await play('Bank settles');
  await tillSays(/is partially refunded/);
  await shop.till.getByRole('button', { name: 'Refund all $6.00' }).click();
  await confirm(cafePin);
  await play('Bank settles');
  await tillSays(/is refunded/);
  await shop.till.getByRole('button', { name: 'Next customer' }).click();
});

test('a locked PIN pays nothing until a new one is set, which then pays', async () => {
  await order('Flat white');
  await tap('Pay', 'Scan the till’s code');
  for (const said of ['Four', 'Three', 'Two', 'One attempt left', 'PIN is locked']) {
    await answer({ pin: '111222' }, 'Pay $4.20');
    await shop.hosted.getByText(said).first().waitFor();
  }
  await answer({}, 'Back to Corner Shop');
  await tap('Set a new PIN');
  await answer({}, 'Send code');
  await answer({ code: '000000' }, 'Verify code');
  await answer({ birthDate: '1987-03-14', last4: '9846' }, 'Continue');
  await answer({ pin: secondPin, repeated: secondPin }, 'Set PIN');
  await answer({}, 'Done');
  await shop.phone.getByText('The PIN is locked').waitFor({ state: 'hidden' });
  await pays(secondPin);
});

test('new terms are asked for, read and accepted', async () => {
  await play('Publish new terms');
  await reads('There are new terms to read.');
  await tap('Read the new terms');
  await answer({}, 'Accept');
  await answer({}, 'Done');
  await shop.phone.getByText('There are new terms to read.').waitFor({ state: 'hidden' });
});

test('a new phone number is proven by code and confirmed by PIN', async () => {
  await tap('More', 'Change phone number or email');
  await shop.hosted.locator('input[name="what"][value="mobile"]').check();
  await answer({ mobile: '2125550167' }, 'Continue');
  await answer({}, 'Send code');
  await answer({ code: '000000' }, 'Verify code');
  await answer({ pin: secondPin }, 'Save change');
  await answer({}, 'Done');
  await reads(/phone number ending in 0167/);
  await tap('Back to the wallet');
});

test('a withdrawal to another bank waits for its hold, which is explained, and then goes out', async () => {
  await tap('More', 'Bank account', 'Remove it', 'Link a bank account');
  await shop.hosted.locator('button.bank').nth(1).click();
  await answer({}, 'Share account');
  await answer({}, 'Done');
  await play('Bank verifies');
  await reads('verified');
  await tap('Done', 'Withdraw');
  await reads(/withdrawals are held until/);
  await tap('Withdraw $10.00');
  await reads(/^Withdrawals to a new bank/);
  await play('3 days');
  await shop.phone.getByText(/withdrawals are held until/).waitFor({ state: 'hidden' });
  await tap('Withdraw $10.00');
  await confirm(secondPin);
  await play('Bank settles');
  await has('$10.80');
});

test('a problem with a payment is reported, investigated and decided', async () => {
  const payment = shop.phone.getByRole('button', { name: /· Payment/ }).first();
  await payment.click();
  await reads('Reference');
  await tap('Report a problem', 'Send the report');
  await reads('We have received your report and are investigating.');
  await shop.phone.getByRole('button', { name: 'Back to the wallet' }).last().click();
  await play('Investigate', 'Decide for the customer');
  await has('$15.00');
});

test('the café pays its supplier an invoice', async () => {
  await shop.till.getByRole('tab', { name: 'Supplier' }).click();
  await shop.till.getByRole('button', { name: 'Pay $12.00' }).click();
  await confirm(cafePin);
  await shop.till.getByText('Invoice INV-2041: completed.').waitFor();
});
