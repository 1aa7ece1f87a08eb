/** Where a paper numbers no meter, its kind of service says which of the account's services is meant. */

/** The account's only service of the kind; none where it has several. */
export function onlyOfKind<Service extends { readonly utility_service: string | null }>(
  services: readonly Service[],
  kind: string,
): Service | undefined {
  const ofKind = services.filter((service) => service.utility_service === kind)
  return ofKind.length === 1 ? ofKind[0] : undefined
}
