/** The identity provider's own step of an application. */
export const identityStep = {
  title: 'One more step: show who you are',
  text: 'Have your ID ready. The step opens on a page of its own and takes a few minutes.',
  start: 'Verify my identity',
  left: 'You left before the end. You can go on where you stopped.',
  again: 'Go on',
  doneTitle: 'Thank you',
  done: (tenant: string) =>
    `We are checking what you gave. ${tenant} will let you know the result.`,
};
