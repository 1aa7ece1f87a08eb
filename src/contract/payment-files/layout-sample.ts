/** A sample of a layout: the file of three invented payments, as the writer would write it. */
import { cellFaultText } from './cell-fault.ts'
import { layoutText } from './layout-rows.ts'
import type { Layout } from './layout.ts'
import type { FileMoment, PayerForFile, ProfileForFile } from './payment-file.ts'
import { testInput } from './test-input.ts'

/** Shows each column filled; its numbers are nobody's. */
const sampleProfile: ProfileForFile = {
  id: 1,
  client_id: 0,
  name: 'Sample',
  bank_name: 'Sample Bank',
  routing_number: '010000126',
  immediate_destination: '010000126',
  immediate_destination_name: 'Sample Bank',
  immediate_origin: '1234567890',
  immediate_origin_name: 'Sample',
  company_name: 'Sample Payer',
  company_id: '1234567890',
  discretionary_data: null,
  entry_description: 'UTIL PYMT',
  account_number: '4400112233',
  account_type: 'checking',
  balanced: false,
  lead_days: 1,
  cutoff_time: '17:00',
  same_day_allowed: false,
  line_end: 'lf',
  character_set: 'standard',
  entry_limit: null,
  file_limit: null,
  layouts: {},
  avid_payer_id: 'PAYER-1',
  avid_bank_account_id: 'OPER',
  payer_address: { street_address_1: '1 Sample Street', street_address_2: null, city: 'Dayton', state: 'OH', zip: '45402' },
}

/** Returns the text of the file, and each value that does not fit with its line and column. */
export function layoutSample(layout: Layout, payer: PayerForFile, moment: FileMoment): { text: string; faults: string[] } {
  const { payments } = testInput('check_request', sampleProfile, payer, moment)
  const faults: string[] = []
  const profiles = new Map([[sampleProfile.id, sampleProfile]])
  const text = layoutText({ layout, payments, profiles, moment, file_reference: 'Sample' }, (fault) => faults.push(cellFaultText(fault)))
  return { text, faults }
}
