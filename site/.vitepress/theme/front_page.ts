import { useData, withBase } from 'vitepress';
import { defineComponent, h, ref } from 'vue';

interface Link {
  readonly text: string;
  readonly link: string;
}
interface Door {
  readonly name: string;
  readonly what: string;
  readonly links: readonly Link[];
}
interface Picture {
  readonly name: string;
  readonly what: string;
  readonly light: string;
  readonly dark: string;
  readonly link: string;
}

/** The parts that scripts/site/front.mjs reads from `docs/README.md`. */
interface Front {
  readonly title: string;
  readonly lead: string;
  readonly command: string;
  readonly doors: readonly Door[];
  readonly pictures: readonly Picture[];
  readonly sections: readonly { readonly name: string; readonly links: readonly Link[] }[];
  readonly whole: string;
}

const linkTo = ({ text, link }: Link, given: object = {}) =>
  h('a', { ...given, href: withBase(link) }, text);

/** The command that starts the sandbox, to be copied. */
const Command = defineComponent({
  props: { text: { type: String, required: true } },
  setup(props) {
    const isCopied = ref(false);
    async function copy(): Promise<void> {
      await navigator.clipboard.writeText(props.text);
      isCopied.value = true;
      setTimeout(() => {
        isCopied.value = false;
      }, 2_000);
    }
    return () =>
      h('div', { class: 'front-command' }, [
        h('code', props.text),
        h('button', { type: 'button', onClick: copy }, isCopied.value ? 'Copied' : 'Copy'),
      ]);
  },
});

const hero = ({ title, lead, command, doors, whole }: Front) =>
  h('section', { class: 'front-hero', 'aria-labelledby': 'front-title' }, [
    h('div', [
      h('h1', { id: 'front-title' }, title),
      h('p', { class: 'front-lead' }, lead),
      h('p', { class: 'front-start' }, [
        doors[0]?.links[0] && linkTo(doors[0].links[0], { class: 'front-first' }),
        doors[0]?.links[2] && linkTo(doors[0].links[2], { class: 'front-second' }),
      ]),
      h(Command, { text: command }),
      h(
        'p',
        { class: 'front-hint' },
        'The whole sandbox on your machine: no account, no settings.',
      ),
    ]),
    h('div', { class: 'front-whole', innerHTML: whole }),
  ]);

const doorOf = ({ name, what, links }: Door) =>
  h('section', { class: 'front-door', 'aria-labelledby': `front-${name}` }, [
    h('h2', { id: `front-${name}` }, name),
    h('p', what),
    h(
      'ol',
      links.map((one) => h('li', linkTo(one))),
    ),
  ]);

const pictureOf = ({ name, what, light, dark, link }: Picture) =>
  h('a', { class: 'front-picture', href: withBase(link) }, [
    ...[
      [light, 'only-light'],
      [dark, 'only-dark'],
    ].map(([src = '', scheme]) =>
      h('span', { class: `front-shot ${scheme}` }, [
        h('img', { src: withBase(src), alt: '', loading: 'lazy', decoding: 'async' }),
      ]),
    ),
    h('b', name),
    h('span', what),
  ]);

/** The first page: three doors, a picture of the whole, pictures of its pages, and all texts (rules/docs-site#15). */
export const FrontPage = defineComponent(() => {
  const { frontmatter } = useData();
  return () => {
    const front: Front = frontmatter.value.front;
    return h('main', { class: 'front' }, [
      hero(front),
      h('div', { class: 'front-doors' }, front.doors.map(doorOf)),
      h('section', { 'aria-labelledby': 'front-surfaces' }, [
        h('h2', { id: 'front-surfaces' }, 'Four surfaces ready to use'),
        h('div', { class: 'front-pictures' }, front.pictures.map(pictureOf)),
      ]),
      h('nav', { 'aria-labelledby': 'front-all' }, [
        h('h2', { id: 'front-all' }, 'All pages'),
        h(
          'div',
          { class: 'front-sections' },
          front.sections.map(({ name, links }) =>
            h('section', [
              h('h3', name),
              h(
                'ul',
                links.map((one) => h('li', linkTo(one))),
              ),
            ]),
          ),
        ),
      ]),
    ]);
  };
});
