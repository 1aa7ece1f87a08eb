-- The reference data that ships with the product. Conversion factors turn one unit into the standard unit of its service.
-- Where no other source is named, factors are exact SI definitions, rounded to what 9 decimals carry.
-- Rows are found by their names, never by numbers, because ids come from the database. Only roles have fixed ids.

insert into roles (id, name) values
  (1, 'super_admin'),
  (2, 'muc_admin'),
  (3, 'channel_partner_admin'),
  (4, 'client_admin'),
  (5, 'client_manager'),
  (6, 'client_user'),
  (7, 'read_only_user');

insert into payment_methods (name, description) values
  ('ACH', 'Bank transfer to the vendor by a payment file'),
  ('Autopay', 'The vendor draws the amount from the payer''s account by itself'),
  ('Avid', 'Paid through AvidPay'),
  ('Check', 'Check by mail'),
  ('Check - OVERNIGHT', 'Check by overnight courier'),
  ('NP', 'No payment: nothing is owed, totals of 1.00 or less'),
  ('OP', 'Online payment made by staff on the vendor''s site');

insert into entry_fields (name, position, category, is_tax) values
  ('Utility Charges', 1, 'utility', false),
  ('Utility Taxes', 2, 'utility', true),
  ('Supply Charges', 3, 'supply', false),
  ('Supply Taxes', 4, 'supply', true),
  ('Other Charge', 5, 'other', false),
  ('REC Charge', 6, 'other', false);

-- HCF is another name for CCF and MCF is a thousand cubic feet. Cubic yards of waste weigh by what is in them, so each
-- material is a unit of its own. each also stands for numbers without a dimension.
insert into units (symbol, description) values
  ('kWh', 'Kilowatt-hour'),
  ('MWh', 'Megawatt-hour'),
  ('kW', 'Kilowatt (demand)'),
  ('kVA', 'Kilovolt-ampere (demand)'),
  ('kVAR', 'Kilovolt-ampere reactive (demand)'),
  ('kVARh', 'Kilovolt-ampere reactive hour'),
  ('therm', 'Therm (100,000 Btu)'),
  ('Dth', 'Dekatherm (10 therms)'),
  ('MMBtu', 'Million British thermal units'),
  ('CCF', 'Hundred cubic feet'),
  ('HCF', 'Hundred cubic feet'),
  ('MCF', 'Thousand cubic feet'),
  ('CF', 'Cubic foot'),
  ('m³', 'Cubic meter'),
  ('gal', 'US gallon'),
  ('imp gal', 'Imperial gallon'),
  ('kgal', 'Thousand US gallons'),
  ('MG', 'Million US gallons'),
  ('acre-ft', 'Acre-foot'),
  ('L', 'Liter'),
  ('lb', 'Pound'),
  ('klb', 'Thousand pounds'),
  ('kg', 'Kilogram'),
  ('ton', 'Short ton (2,000 pounds)'),
  ('t', 'Metric ton'),
  ('yd³', 'Cubic yard (uncompacted trash)'),
  ('yd³ recyclables', 'Cubic yard (mixed recyclables)'),
  ('yd³ cardboard', 'Cubic yard (cardboard)'),
  ('yd³ food', 'Cubic yard (food waste)'),
  ('ton-hr', 'Ton-hour of cooling (12,000 Btu)'),
  ('GJ', 'Gigajoule'),
  ('each', 'Each'),
  ('line', 'Line'),
  ('min', 'Minute'),
  ('GB', 'Gigabyte'),
  ('month', 'Month');

-- emissions_factor: kilograms of CO2e per standard unit, the sources stand in emission_factors below. kbtu_factor: kBtu per
-- standard unit as ENERGY STAR Portfolio Manager counts it, for diesel and propane as EPA's hub does.
-- Chilled water ships without a factor, because no published one fits every plant. It stays out of the inventory until
-- somebody enters one.
insert into utility_services (name, code, emissions_factor, inventoriable, kbtu_factor, emissions_scope) values
  ('Electric', 'electric', 0.3497, true, 3.412142, 2),
  ('Natural Gas', 'natural_gas', 5.3115, true, 100, 1),
  ('Water', 'water', 0.6688, true, null, 3),
  ('Sewer', 'sewer', 0.7621, true, null, 3),
  ('Diesel', 'diesel', 10.2427, true, 138, 1),
  ('Gasoline', 'gasoline', 8.8118, true, 125, 1),
  ('Propane', 'propane', 5.7408, true, 91, 1),
  ('Waste', 'waste', 0.2900, true, null, 3),
  ('Telecom', 'telecom', 0.0000, false, null, null),
  ('Steam', 'steam', 66.3981, true, 1000, 2),
  ('Chilled Water', 'chilled_water', 0.0000, false, 12, 2);

-- Gas by volume: EPA's 1,026 Btu per standard cubic foot, which a therm factor on the bill replaces. Propane by volume: EPA's
-- 0.002516 MMBtu per cubic foot and 0.091 MMBtu per gallon. Waste by volume: EPA 2016, as Portfolio Manager uses it.
-- Steam: Portfolio Manager. Not here: kW, kVA, kVAR and kVARh, minutes and gigabytes, which convert into nothing.
insert into usage_units (utility_service_id, unit_id, conversion_factor, standard)
select utility_services.id, units.id, shipped.conversion_factor, shipped.standard
from (values
  ('electric', 'kWh', 1.000000000, true),
  ('electric', 'MWh', 1000.000000000, false),
  ('electric', 'GJ', 277.777778000, false),
  ('electric', 'MMBtu', 293.071070000, false),
  ('electric', 'therm', 29.307107000, false),
  ('natural_gas', 'therm', 1.000000000, true),
  ('natural_gas', 'CF', 0.010260000, false),
  ('natural_gas', 'CCF', 1.026000000, false),
  ('natural_gas', 'HCF', 1.026000000, false),
  ('natural_gas', 'MCF', 10.260000000, false),
  ('natural_gas', 'Dth', 10.000000000, false),
  ('natural_gas', 'MMBtu', 10.000000000, false),
  ('natural_gas', 'kWh', 0.034121400, false),
  ('natural_gas', 'GJ', 9.478170000, false),
  ('natural_gas', 'm³', 0.362328000, false),
  ('water', 'kgal', 1.000000000, true),
  ('water', 'gal', 0.001000000, false),
  ('water', 'CF', 0.007480520, false),
  ('water', 'CCF', 0.748052000, false),
  ('water', 'HCF', 0.748052000, false),
  ('water', 'MCF', 7.480520000, false),
  ('water', 'm³', 0.264172000, false),
  ('water', 'L', 0.000264172, false),
  ('water', 'MG', 1000.000000000, false),
  ('water', 'acre-ft', 325.851000000, false),
  ('sewer', 'kgal', 1.000000000, true),
  ('sewer', 'gal', 0.001000000, false),
  ('sewer', 'CF', 0.007480520, false),
  ('sewer', 'CCF', 0.748052000, false),
  ('sewer', 'HCF', 0.748052000, false),
  ('sewer', 'MCF', 7.480520000, false),
  ('sewer', 'm³', 0.264172000, false),
  ('sewer', 'L', 0.000264172, false),
  ('sewer', 'MG', 1000.000000000, false),
  ('sewer', 'acre-ft', 325.851000000, false),
  ('diesel', 'gal', 1.000000000, true),
  ('diesel', 'L', 0.264172000, false),
  ('diesel', 'm³', 264.172000000, false),
  ('diesel', 'imp gal', 1.200950000, false),
  ('gasoline', 'gal', 1.000000000, true),
  ('gasoline', 'L', 0.264172000, false),
  ('gasoline', 'm³', 264.172000000, false),
  ('gasoline', 'imp gal', 1.200950000, false),
  ('propane', 'gal', 1.000000000, true),
  ('propane', 'L', 0.264172000, false),
  ('propane', 'CF', 0.027648400, false),
  ('propane', 'CCF', 2.764840000, false),
  ('propane', 'lb', 0.236000000, false),
  ('propane', 'MMBtu', 10.989000000, false),
  ('waste', 'lb', 1.000000000, true),
  ('waste', 'ton', 2000.000000000, false),
  ('waste', 't', 2204.622620000, false),
  ('waste', 'kg', 2.204622620, false),
  ('waste', 'yd³', 138.000000000, false),
  ('waste', 'yd³ recyclables', 58.000000000, false),
  ('waste', 'yd³ cardboard', 106.000000000, false),
  ('waste', 'yd³ food', 396.000000000, false),
  ('telecom', 'line', 1.000000000, true),
  ('telecom', 'each', 1.000000000, false),
  ('steam', 'MMBtu', 1.000000000, true),
  ('steam', 'lb', 0.001194000, false),
  ('steam', 'klb', 1.194000000, false),
  ('steam', 'therm', 0.100000000, false),
  ('chilled_water', 'ton-hr', 1.000000000, true),
  ('chilled_water', 'MMBtu', 83.333300000, false)
) as shipped (code, symbol, conversion_factor, standard)
join utility_services on utility_services.code = shipped.code
join units on units.symbol = shipped.symbol;

-- Adjustment factors scale the usage, the others are measurements beside it. A Therm Factor printed on a bill takes the place
-- of the conversion factor.
insert into usage_factors (utility_service_id, name, description, unit_id, adjustment_factor, default_value)
select utility_services.id, shipped.name, shipped.description, units.id, shipped.adjustment_factor, shipped.default_value
from (values
  ('electric', 'Adjustment Factor', 'Scales the metered usage, for losses of a transformer and the like', 'each', true, 1.0000),
  ('electric', 'Demand', 'Highest demand of the period', 'kW', false, null),
  ('electric', 'KW Actual', 'Demand as metered', 'kW', false, null),
  ('electric', 'KW Billed', 'Demand as billed, after minimums and ratchets', 'kW', false, null),
  ('electric', 'Power Factor', 'Real power divided by apparent power', 'each', false, null),
  ('natural_gas', 'Therm Factor', 'Therms per billed unit of volume', 'therm', true, 1.0000),
  ('natural_gas', 'Adjustment Factor', 'Scales the metered volume, for pressure and temperature', 'each', true, 1.0000),
  ('natural_gas', 'Demand', 'Highest daily use of the period', 'therm', false, null),
  ('water', 'Adjustment Factor', 'Scales the metered usage', 'each', true, 1.0000),
  ('sewer', 'Adjustment Factor', 'Scales the metered usage, for the part of the water that returns', 'each', true, 1.0000),
  ('diesel', 'Adjustment Factor', 'Scales the delivered volume', 'each', true, 1.0000),
  ('gasoline', 'Adjustment Factor', 'Scales the delivered volume', 'each', true, 1.0000),
  ('propane', 'Adjustment Factor', 'Scales the delivered volume', 'each', true, 1.0000),
  ('waste', 'Adjustment Factor', 'Scales the collected quantity', 'each', true, 1.0000),
  ('steam', 'Adjustment Factor', 'Scales the metered usage', 'each', true, 1.0000),
  ('steam', 'Demand', 'Highest demand of the period', 'klb', false, null),
  ('chilled_water', 'Adjustment Factor', 'Scales the metered usage', 'each', true, 1.0000),
  ('chilled_water', 'Demand', 'Highest demand of the period', 'ton-hr', false, null)
) as shipped (code, name, description, symbol, adjustment_factor, default_value)
join utility_services on utility_services.code = shipped.code
join units on units.symbol = shipped.symbol;

-- Effective from long ago, so that every bill of the past has a factor. A later edition is a new row with a later day.
-- GWP AR5: CH4 28, N2O 265.
insert into emission_factors (utility_service_id, unit_id, effective_from, value, source, edition, year, gas_basis, scope, note)
select utility_services.id, units.id, date '1990-01-01', shipped.value, shipped.source, shipped.edition, shipped.year,
  'CO2e, GWP AR5', shipped.scope, shipped.note
from (values
  ('electric', 'kWh', 0.3497, 'EPA eGRID', 'eGRID2023 revision 2 (June 2025)', 2023, 2,
    'Location-based, US average total output rate, 770.884 lb CO2e per MWh'),
  ('natural_gas', 'therm', 5.3115, 'EPA Emission Factors Hub', '2025, table 1', 2025, 1,
    '53.06 kg CO2, 1.0 g CH4 and 0.10 g N2O per MMBtu'),
  ('diesel', 'gal', 10.2427, 'EPA Emission Factors Hub', '2025, table 1', 2025, 1,
    'Distillate fuel oil No. 2: 10.21 kg CO2, 0.41 g CH4 and 0.08 g N2O per gallon'),
  ('gasoline', 'gal', 8.8118, 'EPA Emission Factors Hub', '2025, tables 1 and 2', 2025, 1,
    'Motor gasoline: 8.78 kg CO2, 0.38 g CH4 and 0.08 g N2O per gallon'),
  ('propane', 'gal', 5.7408, 'EPA Emission Factors Hub', '2025, table 1', 2025, 1,
    '5.72 kg CO2, 0.27 g CH4 and 0.05 g N2O per gallon'),
  ('water', 'kgal', 0.6688, 'UK DESNZ conversion factors', '2023, water supply', 2023, 3,
    'Proxy: 0.17668 kg per cubic meter, because EPA publishes no factor for water'),
  ('sewer', 'kgal', 0.7621, 'UK DESNZ conversion factors', '2023, water treatment', 2023, 3,
    'Proxy: 0.20132 kg per cubic meter, because EPA publishes no factor for sewage'),
  ('waste', 'lb', 0.2900, 'EPA Emission Factors Hub', '2025, table 9 (WARM)', 2025, 3,
    'Mixed municipal solid waste, landfilled: 0.58 t CO2e per short ton'),
  ('steam', 'MMBtu', 66.3981, 'EPA Emission Factors Hub', '2025, table 7', 2025, 2,
    '66.33 kg CO2, 1.25 g CH4 and 0.125 g N2O per MMBtu')
) as shipped (code, symbol, value, source, edition, year, scope, note)
join utility_services on utility_services.code = shipped.code
join units on units.symbol = shipped.symbol;

insert into reports (name, description, key_items, export_type, position) values
  ('Trial Balance Report', 'Debits and credits by ledger account, tied to the client batches they come from',
    array['Ledger accounts with their fields', 'Debit, credit and net', 'Totals equal the bills'], 'csv_and_pdf', 1),
  ('Global Data Export', 'Every service line of every bill, with all that is known of it',
    array['One row per service line', 'Charges, usage and factors', 'Batches, payments and ledger accounts'], 'csv', 2),
  ('Cost & Usage Report', 'Cost and usage by utility service and month, beside the year before',
    array['Usage and cost by month', 'Unit cost and cost per day', 'Change against last year'], 'csv_and_pdf', 3),
  ('Inventory Report', 'Every service with its account, meter, rate and ledger accounts',
    array['One row per service', 'Meters, multipliers and rates', 'Emissions factors and scopes'], 'csv', 4),
  ('Universal Data Export', 'The service lines of bills with the columns that you choose',
    array['Chosen columns', 'One row per service line'], 'csv', 5),
  ('Accrual Report', 'What was used and not yet billed, with the method behind each number',
    array['Unbilled days', 'Accrued usage and cost', 'Accrual against actual'], 'csv_and_pdf', 6),
  ('Facilities Report', 'Cost, usage, energy intensity and emissions by facility',
    array['Cost and usage by facility', 'Energy use intensity', 'Tonnes of CO2e'], 'csv_and_pdf', 7),
  ('Client Facilities Report', 'The facilities of all clients, for provider staff',
    array['All clients', 'One row per facility'], 'csv', 8),
  ('Month End Report', 'The month in numbers: bills, batches, payments, open items, accruals and the roll-forward of what is unpaid',
    array['Bills, batches and payments', 'Open items', 'Roll-forward of unpaid bills'], 'csv_and_pdf', 9);

insert into facility_types (name) values
  ('Airport'),
  ('Apartment Building'),
  ('Assisted Living'),
  ('Bank Branch'),
  ('Church'),
  ('College or University'),
  ('Convenience Store'),
  ('Data Center'),
  ('Distribution Center'),
  ('Fire Station'),
  ('Fitness Center'),
  ('Grocery Store'),
  ('Hospital'),
  ('Hotel'),
  ('K-12 School'),
  ('Laboratory'),
  ('Library'),
  ('Manufacturing Plant'),
  ('Medical Office'),
  ('Mixed Use'),
  ('Office'),
  ('Parking Garage'),
  ('Park'),
  ('Police Station'),
  ('Pumping Station'),
  ('Recreation Center'),
  ('Refrigerated Warehouse'),
  ('Residence'),
  ('Restaurant'),
  ('Retail Store'),
  ('Self Storage'),
  ('Shopping Center'),
  ('Street Lighting'),
  ('Vacant Land'),
  ('Vehicle Dealership'),
  ('Warehouse'),
  ('Wastewater Treatment Plant'),
  ('Water Treatment Plant');
