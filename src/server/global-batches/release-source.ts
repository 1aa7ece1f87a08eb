/** The requests for the release of an export, as their list shows them. */
import { exportRelease } from '#contract/global-batches/export-release.ts'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { defineWhere, reachSchema } from '../kernel/lists/export.ts'
import { scopeCondition, type Asked } from '../kernel/lists/list.ts'
import { askedBy, resource } from '../kernel/lists/resource.ts'
import type { Reach } from '../kernel/principal.ts'
import { personName } from '../vendors/vendors.ts'

export const exportReleases = resource({
  entity: exportRelease,
  table: 'export_releases',
  scope: 'shared',
  columns: {
    lock_version: { sql: sql`0` },
    requested_by_name: { sql: sql`(${personName(sql`export_releases.requested_by`)}) collate natural_order` },
    decided_by_name: {
      sql: sql`(case when export_releases.decided_by is not null then ${personName(sql`export_releases.decided_by`)} end) collate natural_order`,
    },
  },
  search: ['payer_names', 'requested_by_name', 'note'],
})

/** A request holds batches of several clients: it is shown to whoever reaches all of them. */
export const reachesAll = (reach: Reach): RawBuilder<boolean> =>
  sql<boolean>`not exists (select 1 from export_release_batches held where held.export_release_id = export_releases.id
    and not ${scopeCondition({ scope: { client: sql.ref('held.client_id'), levels: {} } }, { reach })})`

const allReached = defineWhere('releases_of_reached_clients', z.object({ reach: reachSchema }), ({ reach }) => reachesAll(reach))

export const askedReleases = (context: Context): Asked => ({ ...askedBy(context, {}), ...allReached({ reach: context.reach }) })
