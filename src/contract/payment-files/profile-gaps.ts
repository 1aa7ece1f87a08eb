/** Missing values of a bank profile that its bank's files need. The form, the list and the export use the same function. */
import { routingNumberDoubt } from '../vendors/routing-number.ts'
import { bankText } from './file-text.ts'

/** The checked fields of a profile as on the wire, with the account number complete or masked. */
export interface JudgedProfile {
  readonly client_id: number
  readonly routing_number: string | null
  readonly immediate_destination: string | null
  readonly immediate_origin: string | null
  readonly company_name: string | null
  readonly company_id: string | null
  readonly entry_description: string
  readonly account_number: string | null
  readonly balanced: boolean
  readonly lead_days: number
  readonly same_day_allowed: boolean
}

export interface ProfileGap {
  readonly field: keyof JudgedProfile
  readonly sentence: string
}

export const entryDescriptionLengthMax = 10
/** Reserved by the network's rules for wages, web purchases, and reversals. */
const reservedDescriptions = ['PAYROLL', 'PURCHASE', 'REVERSAL']

/** Returns everything that keeps the profile from a NACHA file; empty if it is complete. */
export function profileGaps(profile: JudgedProfile): ProfileGap[] {
  return [
    ...routingGaps('routing_number', 'Routing Number', profile.routing_number),
    ...routingGaps('immediate_destination', 'Immediate Destination', profile.immediate_destination),
    ...gap(
      'immediate_origin',
      !/^(\d{9}|[A-Z0-9]{10})$/.test(profile.immediate_origin ?? ''),
      'Immediate Origin is a routing number of 9 digits, or the 10 characters that the bank has assigned.',
    ),
    ...gap(
      'company_name',
      profile.client_id !== 0 && !/[A-Z1-9]/.test(bankText(profile.company_name ?? '', 'narrow')),
      'Company Name is what vendors read as the payer, with at least one plain letter.',
    ),
    ...gap(
      'company_id',
      !/^[A-Z0-9]{10}$/.test(profile.company_id ?? ''),
      'Company ID has 10 characters: 1 and the EIN, 3 and the DUNS number, or 9 and what the bank has assigned.',
    ),
    ...gap('entry_description', descriptionFault(profile.entry_description) !== null, descriptionFault(profile.entry_description) ?? ''),
    ...gap('account_number', profile.balanced && !profile.account_number, 'Account Number is debited in a balanced file, and is missing.'),
    ...gap(
      'lead_days',
      profile.lead_days === 0 && !profile.same_day_allowed,
      'Lead Days is 0, which is Same Day ACH, and this profile does not allow it.',
    ),
  ]
}

/** Fields that a clerk enters in the bank's portal, which the file of five columns leaves out. */
const portalFields: readonly (keyof JudgedProfile)[] = ['routing_number', 'company_name', 'company_id', 'entry_description', 'lead_days']

/** Returns everything that keeps the profile from a file for a bank's portal: the account that pays, and the payer. */
export function portalGaps(profile: JudgedProfile): ProfileGap[] {
  return [
    ...profileGaps(profile).filter(({ field }) => portalFields.includes(field)),
    ...gap('account_number', !profile.account_number, 'Account Number is the account that the bank’s portal pays from, and is missing.'),
  ]
}

function descriptionFault(description: string): string | null {
  const text = bankText(description, 'narrow')
  if (text === '' || text.length > entryDescriptionLengthMax)
    return `Entry Description has 1 to ${entryDescriptionLengthMax} plain characters.`
  return reservedDescriptions.includes(text) ? `Entry Description must not be ${text}: the rules of the network reserve that word.` : null
}

function routingGaps(field: 'routing_number' | 'immediate_destination', label: string, number: string | null): ProfileGap[] {
  const doubt = number === null || number === '' ? 'It is missing.' : routingNumberDoubt(number)
  return gap(field, doubt !== null, `${label}: ${doubt ?? ''}`)
}

function gap(field: keyof JudgedProfile, isOpen: boolean, sentence: string): ProfileGap[] {
  return isOpen ? [{ field, sentence }] : []
}
