/** The words of the field as the console uses them. A word stands here once, in the form in which labels write it. */
export interface GlossaryTerm {
  readonly term: string
  readonly meaning: string
}

export const glossaryTerms: readonly GlossaryTerm[] = [
  {
    term: 'Accrual',
    meaning: 'The estimated cost of days that have been used and not billed yet. It is booked at the end of a month and reversed.',
  },
  { term: 'Alias', meaning: 'Another spelling of a name or a number, by which imports and searches find the record too.' },
  { term: 'Amount due', meaning: 'What the bill asks for: balance forward, current charges and late fee together.' },
  { term: 'Balance forward', meaning: 'What earlier bills left unpaid when this one was printed. A credit is negative.' },
  { term: 'Billable account', meaning: 'The customer’s account at a utility, which sends its bills. Its services are the meters.' },
  { term: 'Billing cycle', meaning: 'The usual days from one bill to the next. A bill that is late by it is listed as missing.' },
  { term: 'Calendarized', meaning: 'The cost and usage of a bill divided over the calendar months by its days.' },
  { term: 'CCF', meaning: 'A hundred cubic feet of water or gas: 748 gallons of water, about one therm of gas.' },
  { term: 'Channel partner', meaning: 'A company that looks after several clients and works in the console for them.' },
  { term: 'Client batch', meaning: 'Bills that are booked together: one upload file for the client’s ledger and one invoice.' },
  { term: 'Coverage', meaning: 'The share of the days of a period that bills cover. Totals with little coverage compare badly.' },
  { term: 'Current charges', meaning: 'What this bill charges for its own service period, without earlier balances and late fees.' },
  { term: 'Division', meaning: 'The part of a client that groups facilities, such as a region.' },
  { term: 'Entry field', meaning: 'An amount that a service’s bills print, such as Utility Charges or Supply Taxes.' },
  { term: 'Exception', meaning: 'What keeps a bill or an account from going on, ranked by the money at stake.' },
  { term: 'Facility', meaning: 'A building or site. Its area is what costs per square foot are divided by.' },
  { term: 'Finding', meaning: 'What an audit has found in a bill. An error holds the bill until somebody resolves it.' },
  { term: 'GL', meaning: 'The general ledger: the client’s accounts, on which the costs of services are booked.' },
  { term: 'Global batch', meaning: 'Payments of several clients that the provider sends out together, by check, ACH or another way.' },
  { term: 'Group account', meaning: 'An account whose summary bill covers several subaccounts. The summary bill is the one that is paid.' },
  { term: 'Interval', meaning: 'The time between two readings of a meter.' },
  { term: 'Ledger account', meaning: 'A GL account of the client, with the ledger fields that its system asks for.' },
  { term: 'Meter multiplier', meaning: 'The factor from the difference of two readings to the usage.' },
  { term: 'Net metered', meaning: 'A meter that also counts what is fed back, so that its usage may be negative.' },
  { term: 'Parked', meaning: 'A bill that somebody has put aside. It waits until it is taken back.' },
  { term: 'Prenote', meaning: 'A payment of zero by which a bank confirms an account before money is sent to it.' },
  { term: 'QC', meaning: 'A bill that is held for a second look before it goes on.' },
  { term: 'Rebill', meaning: 'A bill that corrects another one: it replaces it, and the old one becomes void, or it adds to it.' },
  { term: 'Remittance advice', meaning: 'The note to a vendor that says which bills a payment pays.' },
  { term: 'Service', meaning: 'What an account delivers at one meter or place, such as electricity or water.' },
  { term: 'Supply account', meaning: 'The account of a supplier who sells energy that a utility delivers to billable accounts.' },
  { term: 'Therm factor', meaning: 'The heat in the gas of a period, by which the volume becomes therms.' },
  { term: 'Unswept bill', meaning: 'A bill that is ready to be paid by the provider and in no global batch yet.' },
  { term: 'Vendor batch', meaning: 'Bills of one client that are paid together, one payment for each vendor.' },
  { term: 'Void', meaning: 'A bill that another one has replaced. It counts nowhere and is kept for its history.' },
]
