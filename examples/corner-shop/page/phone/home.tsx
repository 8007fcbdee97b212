import { Button, Fault } from '../parts.tsx';
import { dollars } from '../shop.ts';
import { useTexts } from '../texts/locale.ts';
import { Activity } from './activity.tsx';
import type { ScreenProps } from './screen.ts';

function Money({ wallet }: Pick<ScreenProps, 'wallet'>) {
  const { phone } = useTexts().texts;
  const { balance } = wallet;
  if (!balance) return null;
  const parts = [
    { name: phone.pending, cents: balance.pending_outgoing },
    { name: phone.reserved, cents: balance.earmarked },
  ].filter(({ cents }) => cents > 0);
  return (
    <div class="money">
      <p class="soft">{phone.available}</p>
      <p class="big">{dollars(balance.available)}</p>
      {parts.length > 0 && (
        <dl>
          {parts.map(({ name, cents }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{dollars(cents)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** The things that the customer should do first. */
function Alerts({ wallet, movement, go }: ScreenProps) {
  const { phone } = useTexts().texts;
  const { customer, documents, bank } = wallet;
  const alerts = [
    {
      isDue: customer.pin_locked,
      text: phone.locked,
      press: phone.newPin,
      act: () => movement.flow('pin_reset'),
    },
    {
      isDue: documents.some(({ status }) => status === 'pending_acceptance'),
      text: phone.newTerms,
      press: phone.readTerms,
      act: () => movement.flow('terms_acceptance'),
    },
    { isDue: !bank, text: phone.linkFirst, press: phone.linkBank, act: () => go('bank') },
  ];
  return (
    <>
      {alerts
        .filter(({ isDue }) => isDue)
        .map(({ text, press, act }) => (
          <div class="said" key={text}>
            <p>{text}</p>
            <Button look="plain" onClick={act}>
              {press}
            </Button>
          </div>
        ))}
    </>
  );
}

export function Home(props: ScreenProps) {
  const { wallet, movement, go } = props;
  const { phone } = useTexts().texts;
  return (
    <>
      <Money wallet={wallet} />
      <div class="doings">
        {(['pay', 'add', 'withdraw', 'more'] as const).map((screen) => (
          <Button
            key={screen}
            look={screen === 'pay' ? 'primary' : 'plain'}
            onClick={() => go(screen)}
          >
            {phone.titles[screen]}
          </Button>
        ))}
      </div>
      <Fault fault={movement.fault} />
      <Alerts {...props} />
      <h3>{phone.activity}</h3>
      <Activity wallet={wallet} go={go} />
    </>
  );
}
