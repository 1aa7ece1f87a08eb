/** The layouts that ship with the product. A profile may choose another one of its format, or have its own. */
import type { FileFormat, Layout, LayoutChoice, LayoutVersion, PresetName } from './layout.ts'
import { rowPresets } from './row-presets.ts'

/** Labels of the presets. */
export const presetLabels: Readonly<Record<PresetName, string>> = {
  nacha_ccd: 'NACHA, CCD without remittance',
  nacha_remittance: 'NACHA with remittance, CCD+ and CTX',
  ach_register: 'Register for staff (CSV)',
  portal_csv: 'Bank portal, 5 columns (CSV)',
  avid_csv: 'AvidPay (CSV)',
  check_request_csv: 'Check request (CSV)',
  positive_pay_csv: 'Positive pay (CSV)',
  positive_pay_fixed: 'Positive pay, 100 characters a line',
  op_worklist: 'OP worklist (CSV)',
  np_register: 'NP register (CSV)',
  autopay_register: 'Autopay register (CSV)',
  accounting_csv: 'Accounting export (CSV)',
}

const achPresets = ['nacha_ccd', 'nacha_remittance', 'ach_register', 'portal_csv'] as const

/** Returns the presets of a format, its default first. */
export function presetsOf(format: FileFormat): readonly [PresetName, ...PresetName[]] {
  switch (format) {
    case 'standard':
      return achPresets
    case 'nacha_plus':
      return ['nacha_remittance', 'nacha_ccd', 'ach_register', 'portal_csv']
    case 'ach_2':
      return ['ach_register', 'nacha_ccd', 'nacha_remittance', 'portal_csv']
    case 'ach_bank':
      return ['portal_csv', 'nacha_ccd', 'nacha_remittance', 'ach_register']
    case 'avid':
      return ['avid_csv']
    case 'check_request':
      return ['check_request_csv']
    case 'positive_pay':
      return ['positive_pay_csv', 'positive_pay_fixed']
    case 'op_worklist':
      return ['op_worklist']
    case 'np_register':
      return ['np_register']
    case 'autopay_register':
      return ['autopay_register']
    case 'accounting':
      return ['accounting_csv']
  }
}

/** Rows and columns, or NACHA records with or without remittance. */
export type ChosenLayout =
  | { readonly family: 'nacha'; readonly withRemittance: boolean }
  | { readonly family: 'layout'; readonly layout: Layout; readonly version: LayoutVersion | null }

export function chosenLayout(format: FileFormat, choice: LayoutChoice | undefined): ChosenLayout {
  if (choice && 'own' in choice) return { family: 'layout', layout: choice.own, version: choice.version ?? null }
  const name = choice?.preset ?? presetsOf(format)[0]
  const found = rowPresets[name]
  return found ? { family: 'layout', layout: found, version: null } : { family: 'nacha', withRemittance: name === 'nacha_remittance' }
}

/** The ready-made layout that an own one of the format begins with; null if it is written as NACHA records. */
export function readyLayout(format: FileFormat): Layout | null {
  return rowPresets[presetsOf(format)[0]] ?? null
}
