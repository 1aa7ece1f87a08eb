/** If a paper has no meter number, the kind of service identifies the account's service. */

/** Returns the account's only service of the kind; none if it has several. */
export function onlyOfKind<Service extends { readonly utility_service: string | null }>(
  services: readonly Service[],
  kind: string,
): Service | undefined {
  const ofKind = services.filter((service) => service.utility_service === kind)
  return ofKind.length === 1 ? ofKind[0] : undefined
}
