import { sampleMarks } from '@tenant-payments/contract/core/disclosures.ts';
import type { SampleTexts } from './sample_texts.ts';

const notice = `> ${sampleMarks.en} It shows how this page works. Before a program opens to the public, its operator
> publishes the text that its bank and its lawyers have approved.`;

/** The sample of each document in English, as Markdown. */
export const english: SampleTexts = {
  digital_account_terms: {
    title: 'Digital account terms',
    text: `${notice}

## Your account

Your digital account holds US dollars that you add from a bank account of your own, or that others pay
you. A bank holds this money in an account for the customers of this program. There is no monthly fee and
no minimum balance. The account pays no interest.

## Moving money

- **Add money.** We ask your bank to send it, and you approve the request at your bank.
- **Pay.** Money leaves your account only when you confirm it, by PIN or by passkey. Before you confirm,
  you see the amount, who receives it and any fee.
- **Withdraw.** You can send your balance to your linked bank account at any time, within the limits that
  we show you. After you link another bank account, the first withdrawal may have to wait a few days.

A payment that is shown as completed is final. A refund comes from the business that you paid.

## Keeping it safe

Keep your PIN to yourself. Tell us at once if you think that somebody else knows it, or that money left
your account without your permission.

## Fees

You see each fee before you confirm what it is for. Today: none for adding money, none for withdrawing, none for a
statement, and for a payment what the page says before you confirm it.

## Statements and receipts

Each confirmed transfer has a receipt. Each month you get a statement with all transfers, fees and balances.

## Your liability

Tell us AT ONCE if you believe that your PIN or your phone was lost or stolen, or that a transfer was made without
your permission. If you tell us within 2 business days after you learn of it, you can lose no more than $50. If you do
NOT tell us within 2 business days, and we can prove that we could have stopped it if you had told us, you could lose as
much as $500. Also, if your statement shows transfers that you did not make, tell us at once. If you do not tell us
within 60 days after the statement was sent to you, you may not get back any money that you lost after the 60 days, if we
can prove that we could have stopped it if you had told us in time. If a good reason kept you from telling us, we will
extend these times.

## Our liability

If we do not complete a transfer on time or in the correct amount according to this agreement, we will be liable for
your losses or damages. We are not liable if, through no fault of ours, you do not have enough money in your account,
the transfer would go over a limit, or circumstances beyond our control prevent it.

## Whom we tell

We disclose information to third parties about your account or your transfers only where it is necessary to complete
transfers, to verify your account for a third party, to comply with government agencies or court orders, or with your
written permission.

## In case of errors or questions about your electronic transfers

Telephone us at (212) 555-0100 or write us at 100 Sample Street, Anytown, NY 10001 as soon as you can, if you think that
your statement or receipt is wrong or if you need more information about a transfer. Our business days are Monday to
Friday without federal holidays. We must hear from you no later than 60 days after we sent the FIRST statement on which
the problem or error appeared.

1. Tell us your name and account number.
2. Describe the error or the transfer you are unsure about, and explain as clearly as you can why you believe it is an
   error or why you need more information.
3. Tell us the dollar amount of the suspected error.

We will determine whether an error occurred within 10 business days after we hear from you and will correct any error
promptly. If we need more time, we may take up to 45 days to investigate. If we decide to do this, we will credit your
account within 10 business days for the amount you think is in error. For new accounts, we may take up to 20 business
days to credit your account. We will tell you the results within three business days after completing our investigation.
If we decide that there was no error, we will send you a written explanation. You may ask for copies of the documents
that we used.

## Closing

You can close the account at any time. We then send what is left to your linked bank account. We may
suspend an account where the law requires it or to prevent fraud, and we tell you when we may.`,
  },
  esign_consent: {
    title: 'Consent to electronic documents',
    text: `${notice}

## What you agree to

You agree to receive terms, notices, receipts and statements electronically instead of on paper. Your
consent covers everything about your account, for as long as you have it.

## What you need

1. A phone or computer with a current browser.
2. An email address and a mobile number that you keep up to date with us.
3. A way to save or print what you want to keep.

## Your rights

You can ask us for a paper copy of any document, without a charge. You can withdraw this consent at any
time: tell us so. Your account then stays open, we send statements and notices on paper, and we charge nothing
for that.`,
  },
  privacy_notice: {
    title: 'Privacy notice',
    text: `${notice}

## What we collect

| What | Why |
| --- | --- |
| Your name, email address and mobile number | to open your account and to reach you |
| Your date of birth, tax number and home address | to verify who you are |
| Your bank's name and the last digits of your account | to move money to and from it |
| Your payments and other transactions | to keep your account and to prevent fraud |

Your date of birth, tax number and home address go to our identity provider. We do not keep them.

## Whom we share it with

We share what is needed to move your money with banks and payment networks, what is needed to verify you
with our identity provider, and what the law requires with the authorities. A business that you pay sees
your first name and the first letter of your last name. **We do not sell your data.**

## How long we keep it

We keep your data while you have an account and, as the law requires, for five years after it is closed.`,
  },
  cip_notice: {
    title: 'Notice on verifying your identity',
    text: `${notice}

## Important information about opening an account

To help the government fight the funding of terrorism and money laundering, federal law requires financial
institutions to obtain, verify and record information that identifies each person who opens an account.

**What this means for you:** when you open an account, we ask for your name, address, date of birth and tax
number. We may also ask to see your driver's license or other documents. For a business we ask for the same
information about the people who own or control it.`,
  },
  merchant_services_agreement: {
    title: 'Merchant services agreement',
    text: `${notice}

## Taking payments

Your business takes payments from customers of this program. Each payment is final once it is shown as
completed, and its amount, less the fees, is in your account at once. The fees are those that you agreed
with the program. They are shown with each payment.

## Refunds and disputes

- You make refunds through this program, up to the amount of the payment. If your balance is too low, the
  refund waits up to 30 days for money to come in. Fees are not returned.
- When a payer disputes a payment, we may set its amount aside until the dispute is decided. If it is
  decided for the payer, the amount is paid from what was set aside.

## Your duties

1. Tell your customers what they pay for, and honor your own return policy.
2. Send us every notice of an error, an unauthorized payment or a bad purchase within one business day.
3. Keep us informed about who owns and controls the business.

## Ending this agreement

Either side can end this agreement at any time. Refunds and disputes of earlier payments are completed
first. We then send what is left to your linked bank account.`,
  },
  acceptable_use_policy: {
    title: 'Acceptable use policy',
    text: `${notice}

## What you may do

Take payments for what you really sell, in the name under which your customers know you.

## What is not allowed

- Goods or services that are unlawful where you or your customer are.
- Gambling without a license, and any form of pyramid scheme.
- Payments on behalf of another business, or to yourself.
- Anything meant to hide who pays, who is paid, or why.

## What happens if this is broken

We may decline payments or suspend the business. Money that is owed to customers is kept safe in the
meantime. If you think that we are wrong, tell us, and a person will look at it again.`,
  },
};
