/** The kinds of security events, and the rules that raise an alarm. The log of the process, the security log and the alarms use this list. */

/** How much an event of a kind asks for attention. */
export const severities = [
  { value: 'info', label: 'Info' },
  { value: 'warning', label: 'Warning' },
  { value: 'critical', label: 'Critical' },
] as const
export type Severity = (typeof severities)[number]['value']

export const securityKinds = [
  { value: 'sign_in_refused', label: 'Sign-in failed', severity: 'warning' },
  { value: 'sign_in_braked', label: 'Sign-in braked', severity: 'warning' },
  { value: 'sign_in_new_device', label: 'Signed in from a new device', severity: 'info' },
  { value: 'credentials_refused', label: 'Credentials refused', severity: 'warning' },
  { value: 'second_factor_refused', label: 'Second factor failed', severity: 'warning' },
  { value: 'recovery_code_used', label: 'Recovery code used', severity: 'warning' },
  { value: 'second_factor_set', label: 'Second factor set up', severity: 'info' },
  { value: 'second_factor_removed', label: 'Second factor removed', severity: 'warning' },
  { value: 'passkey_added', label: 'Passkey added', severity: 'info' },
  { value: 'passkey_removed', label: 'Passkey removed', severity: 'warning' },
  { value: 'recovery_codes_renewed', label: 'Recovery codes renewed', severity: 'info' },
  { value: 'proof_demanded', label: 'Password demanded again', severity: 'info' },
  { value: 'proof_refused', label: 'Password demanded again, wrong', severity: 'warning' },
  { value: 'denied', label: 'Denied', severity: 'warning' },
  { value: 'second_person_needed', label: 'Second person needed', severity: 'warning' },
  { value: 'payment_changed', label: 'Payment changed since it was approved or shown', severity: 'warning' },
  { value: 'rate_limited', label: 'Rate limited', severity: 'warning' },
  { value: 'export', label: 'Export started', severity: 'info' },
  { value: 'file_downloaded', label: 'Export or report downloaded', severity: 'info' },
  { value: 'payment_file_downloaded', label: 'Payment file downloaded', severity: 'warning' },
  { value: 'secret_read', label: 'Bank number revealed', severity: 'warning' },
  { value: 'api_key_new_network', label: 'API token used from a new network', severity: 'warning' },
  { value: 'credentials_changed', label: 'Password, profile or token changed', severity: 'info' },
  { value: 'settings_changed', label: 'Settings changed', severity: 'info' },
  { value: 'people_changed', label: 'User or role changed', severity: 'info' },
  { value: 'alarm', label: 'Alarm', severity: 'critical' },
  { value: 'events_lost', label: 'Events not stored', severity: 'critical' },
] as const
export type SecurityKind = (typeof securityKinds)[number]['value']

/** An alarm counts events of an account, known or not, of a network, or of a person who is signed in. */
export type AlarmSubject = 'account' | 'network' | 'person'

export interface AlarmRule {
  readonly name: string
  readonly label: string
  readonly kinds: readonly SecurityKind[]
  readonly by: AlarmSubject
  /** The alarm is raised at this many events within these minutes. */
  readonly count: number
  readonly minutes: number
}

export const alarmRules: readonly AlarmRule[] = [
  {
    name: 'sign_ins_of_account',
    label: 'Failed sign-ins of one account',
    kinds: ['sign_in_refused', 'second_factor_refused', 'proof_refused'],
    by: 'account',
    count: 10,
    minutes: 10,
  },
  {
    name: 'sign_ins_from_network',
    label: 'Failed sign-ins from one network',
    kinds: ['sign_in_refused', 'sign_in_braked', 'credentials_refused'],
    by: 'network',
    count: 50,
    minutes: 10,
  },
  { name: 'denials', label: 'Denials of one person', kinds: ['denied', 'second_person_needed'], by: 'person', count: 5, minutes: 5 },
  { name: 'bank_numbers', label: 'Bank numbers revealed to one person', kinds: ['secret_read'], by: 'person', count: 11, minutes: 60 },
]
/** One alarm per rule and subject within this time. */
export const alarmEveryMinutes = 60
