import { localPath } from '@roadshow/contract/platform/local-path'

/** Where to go after signing in: the page that asked for it, if it is one of ours, else the console's choice. */
export const nextPath = (search: string): string =>
  localPath(new URLSearchParams(search).get('next') ?? '', location.origin) ?? '/'
