export { deviceChannels } from './channels.ts'
export { shownOn } from './manifest.ts'
