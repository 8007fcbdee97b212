/** Texts that every flow uses. */
export const common = {
  sandbox: 'Sandbox: no real money moves',
  secure: 'Secure payment',
  loading: 'Loading',
  close: 'Close',
  back: 'Back',
  next: 'Continue',
  done: 'Done',
  retry: 'Try again',
  show: 'Show',
  hide: 'Hide',
  optional: 'optional',
  working: 'One moment',
  copy: 'Copy',
  copied: 'Copied',
  step: (now: number, all: number) => `Step ${now} of ${all}`,
  reference: (id: string) => `Reference for support: ${id}`,
  backTo: (tenant: string) => `Back to ${tenant}`,
  mayClose: 'You can close this page.',
  errorsFound: 'Please check the following',
  showSecret: (label: string) => `Show ${label}`,
  hideSecret: (label: string) => `Hide ${label}`,
  attempts: [
    'No attempts left.',
    'One attempt left.',
    'Two attempts left.',
    'Three attempts left.',
    'Four attempts left.',
    'Five attempts left.',
  ],
};

/** Problems, each shown as a page or as a notice. */
export const trouble = {
  usedTitle: 'This link was already used',
  used: 'For your security, a link opens only once. Go back and start over.',
  expiredTitle: 'This page timed out',
  expired: 'For your security, it closes after a time without activity. Go back and start over.',
  linkExpiredTitle: 'This link has expired',
  linkExpired: 'Go back and start over.',
  unknownTitle: 'This link does not work',
  unknown: 'Go back to where you found it and open it again.',
  endedTitle: 'This step is no longer needed',
  ended: 'It is already finished, or a newer one replaced it. Go back to see the result.',
  canceledTitle: 'Canceled',
  canceled: 'Nothing was changed.',
  aloneTitle: 'Open this page from the app or website',
  alone: 'It cannot be opened by itself. Go back to the app or website and start over.',
  unansweredTitle: 'We could not connect this page',
  unanswered: 'The app or website that opened it did not respond. Close this page and try again.',
  unsupportedTitle: 'Your browser is out of date',
  unsupported:
    'Update it, or open this page in a current version of Chrome, Edge, Firefox or Safari.',
  offlineTitle: 'No connection',
  offline: 'Check your internet connection and try again. Nothing you entered was lost.',
  offlineStart: 'Check your internet connection and try again.',
  serviceTitle: 'Something went wrong on our side',
  service: 'Please try again in a moment.',
  busyTitle: 'Too many attempts',
  busy: (seconds: number) =>
    seconds > 90
      ? `Wait ${Math.ceil(seconds / 60)} minutes and try again.`
      : `Wait ${seconds} seconds and try again.`,
  lostTitle: 'This page is no longer active',
  lost: 'Go back and start over.',
  refused: 'That did not work. Check what you entered and try again.',
};

/** The time limit of a page, and leaving it. */
export const staying = {
  timeTitle: 'Do you need more time?',
  time: 'For your security, this page will close soon because there was no activity.',
  timeLastTitle: 'This page will close soon',
  timeLast: 'For your security, it cannot stay open any longer.',
  timeLeft: 'Time left',
  moreTime: 'I need more time',
  understood: 'Got it',
  leaveTitle: 'Leave this page?',
  leavePayment: 'No money will move unless you come back and confirm.',
  leaveForm: 'What you entered will not be saved.',
  leave: 'Leave',
  stay: 'Stay',
};
