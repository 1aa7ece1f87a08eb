/**
 * The parts of a site survey: people, machines, lamps and rooms of a facility, each kind with its fields as data, in the order of the wizard.
 */
import {
  boolean,
  choice,
  date,
  decimal,
  defaulted,
  email,
  inUnit,
  integer,
  longText,
  optional,
  text,
  type Fields,
} from '../kernel/entity.ts'
import { flag, lampFields } from './lamp-fields.ts'

const number = (label: string, limits: { min?: number; max?: number } = { min: 0 }) => optional(decimal(label, 4, limits))
const measured = (label: string, unit: string, max?: number) =>
  inUnit(number(label, max === undefined ? { min: 0 } : { min: 0, max }), unit)
const line = (label: string) => optional(text(label))

const year = (label: string) => optional(integer(label, { min: 1700, max: 2200 }))

export const maintenanceLevels = [
  { value: 0, label: 'Low' },
  { value: 1, label: 'Medium' },
  { value: 2, label: 'High' },
] as const

const contactFields = {
  name: line('Name'),
  office_phone: line('Office Phone'),
  mobile_phone: line('Mobile Phone'),
  job_title: line('Job Title'),
  email: optional(email('Email')),
}

const compressorFields = {
  active: defaulted(boolean('Active'), true),
  manufacturer: line('Manufacturer'),
  compressor_type: line('Compressor Type'),
  model: line('Model'),
  year: year('Year'),
  vfd: flag('VFD'),
  annual_operating_days: measured('Annual Operating Days', 'days', 366),
  hours_per_day: measured('Hours Per Day', 'h', 24),
  voltage: measured('Voltage', 'V'),
  cfm: measured('CFM', 'cfm'),
  max_load_psig: measured('Max Load PSIG', 'psig'),
  discharge_psig: measured('Discharge PSIG', 'psig'),
  dryer_manufacturer: line('Dryer Manufacturer'),
  dryer_type: line('Dryer Type'),
  notes: optional(longText('Notes')),
}

const motorFields = {
  name: line('Name'),
  active: defaulted(boolean('Active'), true),
  make: line('Make'),
  model: line('Model'),
  horse_power: measured('Horse Power', 'hp'),
  ac_dc: line('AC/DC'),
  full_load_current: measured('Full Load Current', 'A'),
  synchronous_speed: measured('Synchronous Speed', 'rpm'),
  nameplate_speed: measured('Nameplate Speed', 'rpm'),
  vfd: flag('VFD'),
  enclosure: line('Enclosure'),
  power_factor: number('Power Factor'),
  insulation_class: line('Insulation Class'),
  percent_efficiency: measured('Percent Efficiency', '%', 100),
  application_notes: optional(longText('Application Notes')),
  pump: flag('Pump'),
  manufacturer: line('Manufacturer'),
  model_number: line('Model Number'),
  serial_number: line('Serial Number'),
  drive_type: line('Drive Type'),
  service_application: line('Service Application'),
  motor_type: line('Motor Type'),
  control_method: line('Control Method'),
  design_pressure: measured('Design Pressure', 'psi'),
  stages: number('Stages'),
  flow_pressure_var: line('Flow Pressure Var'),
  pressure_lost_over_time: measured('Pressure Lost Over Time', 'psi'),
  annual_operating_hours: measured('Annual Operating Hours', 'h', 8_784),
  system: line('System'),
  impeller_cut: line('Impeller Cut'),
  flow: measured('Flow', 'gpm'),
  fluid: line('Fluid'),
  loop_type: line('Loop Type'),
  maintenance_level_required: optional(choice('Maintenance Level Required', maintenanceLevels)),
  number_of_end_users: number('Number Of End Users'),
  remaining_life: measured('Remaining Life', 'years'),
  maintenance_issues: flag('Maintenance Issues'),
  flow_meter: flag('Flow Meter'),
  schematic: flag('Schematic'),
  cavitation: flag('Cavitation'),
  meter: flag('Meter'),
  duty_change: flag('Duty Change'),
  vibration_noise: flag('Vibration Noise'),
  test_ports: flag('Test Ports'),
  parallel_pumps: flag('Parallel Pumps'),
}

const gearBoxFields = {
  name: line('Name'),
  ratio: line('Ratio'),
  size: line('Size'),
  manufacturer: line('Manufacturer'),
  year: year('Year'),
  notes: optional(longText('Notes')),
}

const lightingFields = { location: line('Location'), updated: line('Updated'), ...lampFields() }

const hvacFields = {
  area: line('Area'),
  cooling_type: line('Cooling Type'),
  cooling_efficiency: number('Cooling Efficiency'),
  cooling_installation_date: optional(date('Cooling Installation Date')),
  heating_type: line('Heating Type'),
  heating_efficiency: number('Heating Efficiency'),
  heating_installation_date: optional(date('Heating Installation Date')),
  water_type: line('Water Type'),
  water_efficiency: number('Water Efficiency'),
  water_installation_date: optional(date('Water Installation Date')),
}

/** The kinds by their wire names, which are also their table names. `one` is the label of a single record. */
export const surveyParts = {
  contacts: { step: 'Contacts', one: 'Contact', fields: contactFields },
  compressors: { step: 'Compressors', one: 'Compressor', fields: compressorFields },
  motors: { step: 'Motors', one: 'Motor', fields: motorFields },
  gear_boxes: { step: 'Gear Boxes', one: 'Gear Box', fields: gearBoxFields },
  lightings: { step: 'Lighting', one: 'Lighting', fields: lightingFields },
  hvacs: { step: 'HVAC', one: 'HVAC', fields: hvacFields },
} as const
export type SurveyPart = keyof typeof surveyParts

export const surveyPartNames = [
  'contacts',
  'compressors',
  'motors',
  'gear_boxes',
  'lightings',
  'hvacs',
] as const satisfies readonly SurveyPart[]

/** One kind in the form that code over all kinds uses. */
export interface SurveyPartKind {
  readonly step: string
  readonly one: string
  readonly fields: Fields
}
