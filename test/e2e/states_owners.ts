import type { Step } from './walker.ts';

/** Where an owner who was invited, Cy Reyes, is corrected; somebody else is in charge. */
export const ownerChanges: readonly Step[] = [
  [
    'owner_change',
    ({ press, texts }) => press(texts.onboarding.changeWhat('Cy Reyes')),
    (t) => t.business.changeTitle,
  ],
  [
    'owner_change_errors',
    async ({ page, choose, press, texts }) => {
      await choose('role', 'control_person');
      await press(texts.business.saveAndSend);
      // The group is at fault, not one of its choices: these may not be invalid by ARIA.
      const group = page.getByRole('radiogroup', { name: texts.business.role });
      await group.and(page.locator('[aria-invalid="true"]')).waitFor();
    },
    (t) => t.business.ownersTwo,
  ],
  [
    'owner_changed',
    async ({ fill, choose, press, texts }) => {
      await choose('role', 'owner');
      await fill({ name: 'Cyril Reyes', percent: '30' });
      await press(texts.business.saveAndSend);
    },
    (t) => t.business.percentOf(30),
  ],
];
