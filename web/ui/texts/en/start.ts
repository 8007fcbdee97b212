/** Texts of a page whose script did not come: they are in the page itself. */
export const start = {
  brokenTitle: 'This page did not load completely',
  broken: 'Check your internet connection and try again. Nothing has been sent yet.',
  again: 'Try again',
};
