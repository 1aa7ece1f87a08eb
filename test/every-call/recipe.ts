/** The recipe of a call for the table: the ids in its path, its body, and its preconditions. */
import type { App } from '../../src/server/app.ts'
import type { Person } from '../support/app.ts'
import type { FormValues } from '../support/forms.ts'
import type { Relation } from './rows.ts'
import { missingClientId, missingId, type Place, type World } from './world.ts'

export type Ids = Readonly<Record<string, number | string>>

export interface Asking {
  readonly world: World
  readonly app: App
  readonly relation: Relation
  /** The place of the ids in the path. */
  readonly target: Place
  /** The place of the values in a body: an existing one, whatever the path names. */
  readonly source: Place
  /** The owner of a personal record. */
  readonly owner: number
  readonly who: Person | null
}

export interface Recipe {
  /** The parameters of the path besides `client_id`. */
  readonly ids?: (asking: Asking) => Ids | Promise<Ids>
  /** Makes a record for a single request that changes or deletes it. */
  readonly fresh?: (asking: Asking) => Ids | Promise<Ids>
  readonly query?: (asking: Asking) => string
  readonly body?: (asking: Asking) => object | Promise<object>
  readonly headers?: (asking: Asking) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** A form with a file instead of JSON. */
  readonly form?: (asking: Asking) => FormValues
  /** Bytes instead of JSON. */
  readonly bytes?: () => Buffer
  /** Ends its own session, so it gets a separate one. */
  readonly endsSignIn?: boolean
  /** Never ends by itself: it is requested over a socket that is then closed. */
  readonly endless?: boolean
}

/** By row of the table, or by call if all its rows use the same recipe. */
export type Recipes = Readonly<Record<string, Recipe>>

/** To name a record that does not exist, makes none if it has made one before: only the names of its ids count. */
export function sparing(recipe: Recipe): Recipe {
  const { ids } = recipe
  if (!ids) return recipe
  let known: Ids | undefined
  const spared = async (asking: Asking): Promise<Ids> => {
    const isNowhere = asking.relation === 'missing' || asking.relation === 'absent'
    // The text of a missing id comes from the recipe; a number is exchanged afterwards.
    if (isNowhere && known && Object.values(known).every((id) => typeof id === 'number')) return known
    known = await ids(asking)
    return known
  }
  return { ...recipe, ids: spared }
}

/** Returns the place whose ids are in the path for this relation. */
export function targetOf(relation: Relation, { places }: World): Place {
  const { own, outside, sibling, foreign } = places
  switch (relation) {
    case 'outside':
      return outside
    case 'sibling':
      return sibling
    case 'foreign':
      return foreign
    case 'crossed':
      return { ...foreign, clientId: own.clientId }
    case 'missing':
      return { ...nowhere(own), clientId: own.clientId }
    case 'absent':
      return nowhere(own)
    default:
      return own
  }
}

/** Returns the place of a body's values, so that only the path decides. */
export function sourceOf(relation: Relation, world: World): Place {
  const isThere = relation === 'outside' || relation === 'sibling' || relation === 'foreign'
  return isThere ? targetOf(relation, world) : world.places.own
}

/** Replaces every numeric id by one that does not exist. */
export function idsOfNothing(ids: Ids): Ids {
  return Object.fromEntries(Object.entries(ids).map(([key, id]) => [key, typeof id === 'number' ? missingId : id]))
}

function nowhere(like: Place): Place {
  return {
    ...like,
    clientId: missingClientId,
    divisionId: missingId,
    facilityId: missingId,
    accountId: missingId,
    groupAccountId: missingId,
    supplyAccountId: missingId,
    groupSupplyAccountId: missingId,
    serviceId: missingId,
    supplyServiceId: missingId,
    ledgerAccountId: missingId,
    ledgerFieldId: missingId,
    clientBatchId: missingId,
    exportProfileId: missingId,
    vendorBatchId: missingId,
    vendorPaymentId: missingId,
    batchGroupId: missingId,
    documentId: missingId,
    surveyId: missingId,
    clientDocumentId: missingId,
    vendorNumberId: missingId,
    budgetId: missingId,
    bankProfileId: missingId,
    billDocumentId: missingId,
    generatedReportId: missingId,
    reportScheduleId: missingId,
    scanId: missingId,
    billId: missingId,
    supplyBillId: missingId,
    groupBillId: missingId,
    lineId: missingId,
    statementFileId: 'statement-of-nobody',
  }
}
