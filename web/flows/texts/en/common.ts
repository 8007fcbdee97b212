/** Words that every flow uses. */
export const common = {
  sandbox: 'Sandbox: no real money moves',
  loading: 'Loading',
  close: 'Close',
  back: 'Back',
  next: 'Continue',
  done: 'Done',
  retry: 'Try again',
  cancel: 'Cancel',
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
  errorsFound: 'Please check these answers',
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

/** What stands in the way, each a page or a notice of its own. */
export const trouble = {
  usedTitle: 'This link was already used',
  used: 'It opens once, to keep you safe. Go back and start again.',
  expiredTitle: 'Time ran out',
  expired: 'Nobody did anything here for a while, so this page closed. Go back and start again.',
  linkExpiredTitle: 'This link is too old',
  linkExpired: 'Go back and start again.',
  unknownTitle: 'We do not know this link',
  unknown: 'Open the page again from where you came.',
  endedTitle: 'This step is no longer needed',
  ended: 'It ended, or a newer one took its place. Go back to see what happened.',
  canceledTitle: 'Canceled',
  canceled: 'Nothing was changed.',
  aloneTitle: 'This page needs to be opened by an app or a shop',
  alone: 'Go back and start again there.',
  unansweredTitle: 'This page was not connected',
  unanswered: 'The page that opened it did not answer. Close it and try again.',
  unsupportedTitle: 'This browser is too old',
  unsupported:
    'Update it, or open this page in a current version of Chrome, Edge, Firefox or Safari.',
  offlineTitle: 'No connection',
  offline: 'Check your connection and try again. Nothing you entered was lost.',
  offlineStart: 'Check your connection and try again.',
  serviceTitle: 'Something went wrong on our side',
  service: 'Try again in a moment.',
  busyTitle: 'Too many requests',
  busy: (seconds: number) =>
    seconds > 90
      ? `Wait ${Math.ceil(seconds / 60)} minutes and try again.`
      : `Wait ${seconds} seconds and try again.`,
  lostTitle: 'This page has ended',
  lost: 'Go back and start again.',
  refused: 'This was not possible. Check what you entered and try again.',
};

/** Time in a page, and leaving it. */
export const staying = {
  timeTitle: 'Do you need more time?',
  time: 'This page closes soon, because nobody did anything for a while.',
  timeLastTitle: 'This page closes soon',
  timeLast: 'For your safety it stays open no longer.',
  timeLeft: 'Time left',
  moreTime: 'I need more time',
  understood: 'OK',
  leaveTitle: 'Leave this page?',
  leavePayment: 'Nothing will be confirmed.',
  leaveForm: 'What you entered here is not kept.',
  leave: 'Leave',
  stay: 'Stay',
};
