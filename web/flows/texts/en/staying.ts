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
