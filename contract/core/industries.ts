import Type, { type Static } from 'typebox';
import { InBothLanguages } from './languages.ts';
import { Closed } from './schema.ts';

/** A line of business that a program serves. The key is stored; the name is what people read. */
export const Industry = Closed({
  key: Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', description: 'Stable; stored and shown' }),
  name: InBothLanguages(100),
});
export type Industry = Static<typeof Industry>;

const sector = (key: string, en: string, es: string): Industry => ({ key, name: { en, es } });

/** The 20 sectors of NAICS 2022, in the order of their codes: the list until a program sets one. */
export const naicsSectors: readonly Industry[] = [
  sector(
    'agriculture_forestry_fishing_hunting', // 11
    'Agriculture, forestry, fishing and hunting',
    'Agricultura, silvicultura, pesca y caza',
  ),
  sector(
    'mining_oil_gas', // 21
    'Mining, quarrying, and oil and gas extraction',
    'Minería, canteras y extracción de petróleo y gas',
  ),
  sector('utilities', 'Utilities', 'Servicios públicos (agua, luz y gas)'), // 22
  sector('construction', 'Construction', 'Construcción'), // 23
  sector('manufacturing', 'Manufacturing', 'Industria manufacturera'), // 31-33
  sector('wholesale_trade', 'Wholesale trade', 'Comercio al por mayor'), // 42
  sector('retail_trade', 'Retail trade', 'Comercio al por menor'), // 44-45
  sector(
    'transportation_warehousing', // 48-49
    'Transportation and warehousing',
    'Transporte y almacenamiento',
  ),
  sector(
    'information', // 51
    'Information, media and software',
    'Información, medios y software',
  ),
  sector('finance_insurance', 'Finance and insurance', 'Finanzas y seguros'), // 52
  sector(
    'real_estate_rental', // 53
    'Real estate, rental and leasing',
    'Bienes raíces, alquiler y arrendamiento',
  ),
  sector(
    'professional_scientific_technical', // 54
    'Professional, scientific and technical services',
    'Servicios profesionales, científicos y técnicos',
  ),
  sector(
    'management_of_companies', // 55
    'Management of companies and enterprises',
    'Dirección de empresas y sociedades de cartera',
  ),
  sector(
    'administrative_waste_services', // 56
    'Administrative, support, waste management and remediation services',
    'Servicios administrativos, de apoyo, de residuos y de saneamiento',
  ),
  sector('educational_services', 'Educational services', 'Servicios educativos'), // 61
  sector(
    'health_care_social_assistance', // 62
    'Health care and social assistance',
    'Salud y asistencia social',
  ),
  sector(
    'arts_entertainment_recreation', // 71
    'Arts, entertainment and recreation',
    'Arte, entretenimiento y recreación',
  ),
  sector(
    'accommodation_food_services', // 72
    'Accommodation and food services',
    'Alojamiento y servicios de comida',
  ),
  sector(
    'other_services', // 81
    'Other services (repair, personal care, associations)',
    'Otros servicios (reparación, cuidado personal, asociaciones)',
  ),
  sector('public_administration', 'Public administration', 'Administración pública'), // 92
];

/** The list of a Tenant's program (rules/operations#40). */
export const industriesOf = ({
  industries = naicsSectors,
}: {
  readonly industries?: readonly Industry[];
}): readonly Industry[] => industries;
