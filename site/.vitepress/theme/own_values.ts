import { useData, useRoute } from 'vitepress';
import { defineComponent, h, nextTick, onMounted, ref, watch } from 'vue';
import { readWhere, type Where } from './where';

/** The names in code for a reader's own values (scripts/site/code.mjs marks it). */
const names = ['base_url', 'client_id', 'client_secret', 'webhook_secret'] as const;
type Name = (typeof names)[number];
type Values = Partial<Record<Name, string>>;

/** Kept while the reader goes from page to page, and never stored (rules/docs-site#10). */
const ownValues = ref<Values>({});

/** Reads `sandbox.json`, or lines such as `PAY_CLIENT_ID=cl_…`. */
function valuesIn(text: string): Values {
  const found = names.map((name) => {
    const form = new RegExp(`\\b(?:PAY_)?${name}"?\\s*[=:]\\s*"?([^\\s"',]+)`, 'i');
    return [name, form.exec(text)?.[1]] as const;
  });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Writes the values into the code of the page. */
function fillIn(): void {
  for (const slot of document.querySelectorAll<HTMLElement>('.slot')) {
    const value = ownValues.value[slot.dataset.slot as Name];
    if (value === undefined) continue;
    slot.textContent = value;
    slot.classList.add('filled');
  }
}

const noService: Where = { environment: null };

const hints = {
  empty: 'The text has none of these values.',
  filled: 'The code on these pages has your values now.',
};

/** Above pages with code that takes a reader's own values; the base URL of a sandbox is filled in by itself. */
export const OwnValues = defineComponent(() => {
  const { frontmatter } = useData();
  const route = useRoute();
  const text = ref('');
  const state = ref<keyof typeof hints | null>(null);

  onMounted(async () => {
    const { environment, base_url, client_id } = await readWhere().catch((): Where => noService);
    if (environment !== 'sandbox' || !base_url) return;
    ownValues.value = { base_url, ...(client_id && { client_id }), ...ownValues.value };
  });
  watch([ownValues, () => route.path], () => nextTick(fillIn), { flush: 'post' });
  onMounted(fillIn);

  function take(event: Event): void {
    event.preventDefault();
    const found = valuesIn(text.value);
    state.value = Object.keys(found).length > 0 ? 'filled' : 'empty';
    ownValues.value = { ...ownValues.value, ...found };
    text.value = '';
  }

  return () =>
    frontmatter.value.takesValues
      ? h(
          'section',
          { class: 'own-values', 'aria-label': 'Your own values' },
          h('details', [
            h('summary', 'Show the code with your own values'),
            h('form', { onSubmit: take }, [
              h('p', { id: 'own-values-how' }, [
                'Paste what ',
                h('code', 'npm run tpay -- status --output env'),
                ' prints, or the content of ',
                h('code', '.data/sandbox.json'),
                '. It stays in this window: nothing is sent, nothing is stored.',
              ]),
              h('label', { for: 'own-values-text' }, 'Your values'),
              h('textarea', {
                id: 'own-values-text',
                rows: 4,
                autocomplete: 'off',
                spellcheck: false,
                'aria-describedby': 'own-values-how',
                value: text.value,
                onInput: (event: Event) => {
                  text.value = (event.target as HTMLTextAreaElement).value;
                },
              }),
              h('button', { type: 'submit' }, 'Fill in'),
              h('p', { role: 'status' }, state.value === null ? '' : hints[state.value]),
            ]),
          ]),
        )
      : null;
});
