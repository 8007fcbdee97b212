import { darkTint } from '../ui/tint.ts';

/** The Tenant's colour comes with the page; in the dark a lighter tint of it is used. */
export function paintBrand(): void {
  const { documentElement } = document;
  const brand = getComputedStyle(documentElement).getPropertyValue('--brand').trim();
  if (/^#[0-9a-f]{6}$/i.test(brand))
    documentElement.style.setProperty('--brand-tint', darkTint(brand));
}
