-- Each published version of a document has its own texts, kept for ever: what a customer accepted.
create table legal_texts (
  tenant_id uuid not null,
  document_type text not null,
  document_version text not null,
  title_en text not null,
  title_es text not null,
  text_en text not null,
  text_es text not null,
  published_at timestamptz not null,
  revision integer not null default 1,
  primary key (tenant_id, document_type, document_version)
);
create trigger legal_texts_append_only before update or delete or truncate on legal_texts
  for each statement execute function refuse_change();

-- Until now the pages showed these samples for every version.
with shown (document_type, title_en, title_es, text_en, text_es) as (
  values
    ('digital_account_terms', 'Digital account terms', 'Condiciones de la cuenta digital',
      'This is a sample. The operator of this program must replace it with the text that its bank and its lawyers have approved.'
      || E'\n\n' || 'Your digital account holds money that you add from a bank account of your own. A bank holds the money, in an account for the customers of this program.'
      || E'\n\n' || 'Money leaves your account only when you confirm it, by PIN or by passkey. Keep your PIN to yourself. Tell us at once if you think that somebody else knows it.'
      || E'\n\n' || 'You can withdraw your balance to your linked bank account at any time, within the limits shown to you. The account has no monthly fee. A fee for a payment is shown before you confirm it.'
      || E'\n\n' || 'If you see a transaction that you did not make, tell us within 60 days of the statement that shows it.',
      'Esto es una muestra. El operador de este programa debe sustituirla por el texto que hayan aprobado su banco y sus abogados.'
      || E'\n\n' || 'Su cuenta digital guarda el dinero que usted añade desde una cuenta bancaria propia. Un banco guarda el dinero, en una cuenta para los clientes de este programa.'
      || E'\n\n' || 'El dinero sale de su cuenta solo cuando usted lo confirma, con su PIN o con una llave de acceso. No comparta su PIN. Avísenos de inmediato si cree que otra persona lo conoce.'
      || E'\n\n' || 'Puede retirar su saldo a su cuenta bancaria vinculada en cualquier momento, dentro de los límites que se le muestran. La cuenta no tiene cuota mensual. La comisión de un pago se muestra antes de que lo confirme.'
      || E'\n\n' || 'Si ve una operación que usted no hizo, díganoslo en los 60 días siguientes al estado de cuenta que lo muestra.'),
    ('esign_consent', 'Consent to electronic documents', 'Consentimiento para documentos electrónicos',
      'This is a sample. The operator of this program must replace it with the text that its bank and its lawyers have approved.'
      || E'\n\n' || 'You agree to receive terms, notices and statements electronically instead of on paper.'
      || E'\n\n' || 'You need a device with a current browser and a place to keep what you save. You can ask for a paper copy, and you can withdraw this consent; we then close the account.',
      'Esto es una muestra. El operador de este programa debe sustituirla por el texto que hayan aprobado su banco y sus abogados.'
      || E'\n\n' || 'Usted acepta recibir condiciones, avisos y estados de cuenta en formato electrónico en lugar de papel.'
      || E'\n\n' || 'Necesita un dispositivo con un navegador actual y un lugar para guardar lo que descargue. Puede pedir una copia en papel y puede retirar este consentimiento; en ese caso la cuenta se cierra.'),
    ('privacy_notice', 'Privacy notice', 'Aviso de privacidad',
      'This is a sample. The operator of this program must replace it with the text that its bank and its lawyers have approved.'
      || E'\n\n' || 'We collect your name, contact details, date of birth and tax number, to verify who you are. Date of birth and tax number go to the identity provider and are not kept here.'
      || E'\n\n' || 'We share what is needed to move your money with banks and payment networks, and what the law requires with authorities. We do not sell your data.',
      'Esto es una muestra. El operador de este programa debe sustituirla por el texto que hayan aprobado su banco y sus abogados.'
      || E'\n\n' || 'Recogemos su nombre, sus datos de contacto, su fecha de nacimiento y su número fiscal para comprobar quién es. La fecha de nacimiento y el número fiscal van al proveedor de identidad y no se guardan aquí.'
      || E'\n\n' || 'Compartimos lo necesario para mover su dinero con bancos y redes de pago, y lo que exige la ley con las autoridades. No vendemos sus datos.'),
    ('cip_notice', 'Notice on verifying your identity', 'Aviso sobre la verificación de su identidad',
      'This is a sample. The operator of this program must replace it with the text that its bank and its lawyers have approved.'
      || E'\n\n' || 'To help the government fight the funding of terrorism and money laundering, federal law requires financial institutions to obtain, verify and record information that identifies each person who opens an account.'
      || E'\n\n' || 'When you open an account we ask for your name, address, date of birth and other information that lets us identify you. We may also ask for documents.',
      'Esto es una muestra. El operador de este programa debe sustituirla por el texto que hayan aprobado su banco y sus abogados.'
      || E'\n\n' || 'Para ayudar al gobierno a combatir la financiación del terrorismo y el lavado de dinero, la ley federal exige a las instituciones financieras obtener, verificar y registrar información que identifique a cada persona que abre una cuenta.'
      || E'\n\n' || 'Cuando usted abre una cuenta le pedimos su nombre, dirección, fecha de nacimiento y otra información que nos permita identificarle. También podemos pedirle documentos.'),
    ('merchant_services_agreement', 'Merchant services agreement', 'Contrato de servicios para comercios',
      'This is a sample. The operator of this program must replace it with the text that its bank and its lawyers have approved.'
      || E'\n\n' || 'Your business takes payments from customers of this program. Each payment is final once it is shown as completed. Fees are those agreed with the program and are shown with each payment.'
      || E'\n\n' || 'You make refunds to payers through this program. When a payer disputes a payment, its amount may be set aside until the dispute is decided.',
      'Esto es una muestra. El operador de este programa debe sustituirla por el texto que hayan aprobado su banco y sus abogados.'
      || E'\n\n' || 'Su empresa cobra a clientes de este programa. Cada pago es definitivo cuando figura como completado. Las comisiones son las acordadas con el programa y figuran junto a cada pago.'
      || E'\n\n' || 'Usted hace los reembolsos por medio de este programa. Si alguien reclama un pago, su importe puede quedar apartado hasta que se decida.'),
    ('acceptable_use_policy', 'Acceptable use policy', 'Política de uso aceptable',
      'This is a sample. The operator of this program must replace it with the text that its bank and its lawyers have approved.'
      || E'\n\n' || 'Take payments only for what you really sell. Unlawful goods and services, gambling without a licence, and payments on behalf of others are not allowed.'
      || E'\n\n' || 'We may suspend a business that breaks this policy. Money owed to customers is kept safe in the meantime.',
      'Esto es una muestra. El operador de este programa debe sustituirla por el texto que hayan aprobado su banco y sus abogados.'
      || E'\n\n' || 'Cobre solo por lo que realmente vende. No se permiten bienes ni servicios ilegales, el juego sin licencia ni los pagos por cuenta de otros.'
      || E'\n\n' || 'Podemos suspender a una empresa que incumpla esta política. El dinero que se debe a los clientes queda protegido mientras tanto.')
), known as (
  select tenant_id, document_type, document_version from documents
  union select tenant_id, document_type, document_version from document_publications
  union select tenant_id, document_type, in_force from document_versions
  union select tenant_id, document_type, latest from document_versions
  union select tenant_id, document_type, '2026-01' from tenants, shown
)
insert into legal_texts (tenant_id, document_type, document_version, title_en, title_es, text_en,
    text_es, published_at)
  select k.tenant_id, k.document_type, k.document_version, s.title_en, s.title_es, s.text_en, s.text_es,
    coalesce(min(p.created_at), min(t.created_at))
  from known k join shown s using (document_type) join tenants t using (tenant_id)
    left join document_publications p using (tenant_id, document_type, document_version)
  group by 1, 2, 3, 4, 5, 6, 7;
