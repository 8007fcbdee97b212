/** Refusals of the service, by reason or by code. */
export const refusals: Readonly<Record<string, string>> = {
  payment_in_progress:
    'Another payment for this is in progress. You were not charged. Try again in a few minutes.',
  too_young: 'The minimum age is 18.',
  never_given: 'Check the Social Security number or ITIN. This number is never issued.',
  six_digits: 'Enter a six-digit PIN.',
  run: 'Sequences like 123456 are easy to guess. Choose another PIN.',
  repetition: 'Repeats like 121212 are easy to guess. Choose another PIN.',
  not_a_us_number: 'Enter a US mobile number.',
  not_a_mobile_number: 'This number cannot receive text messages. Enter a mobile number.',
  nothing_visible: 'Use at least one letter or digit.',
  bidirectional_control:
    'This text has a hidden character that reverses the order of its letters. Type it again.',
  duplicate_mobile_number: 'Another customer already uses this number.',
  no_code: 'Request a code first.',
  code_expired: 'This code has expired. Request a new one.',
  code_required: 'Please verify again with a new code.',
  documents_changed:
    'These documents have changed since you read them. Please read them again before you accept.',
  too_many_tries: 'Too many wrong codes. Request a new one.',
  too_many_codes: 'We cannot send more codes here. Go back and start over.',
  message_bounced: 'Nobody can be reached there. Check it and try again.',
  message_undeliverable: 'Nobody can be reached there. Check it and try again.',
  message_opted_out:
    'This number has stopped our text messages. Reply START to the last one, then request a new code.',
  no_match: 'This information does not match what was given when the account was opened.',
  no_control_person: 'We cannot verify who manages the business yet, so the PIN cannot be reset.',
  reset_closed:
    'The information did not match too many times. The PIN can no longer be reset here.',
  no_pin: 'You have no PIN yet.',
  no_passkey: 'You have no passkey yet.',
  proof_required: 'Show again that it is you, with your PIN or a passkey.',
  too_many_passkeys: 'You have ten passkeys. Remove one before you add another.',
  pin_required: 'Enter your PIN first.',
  no_challenge: 'This took too long. Try again.',
  retry_available_at: 'It is too early to try again.',
  final: 'This decision is final.',
  parameter_invalid: 'Something you entered is not right. Check it and try again.',
  invalid_state: 'This is no longer possible.',
};
