import type { RestResponse } from './client/attempt.ts';

/** Sends a refresh token. `onSend` is called when the request goes out; without that, the token was not used. */
export type SendToken = (onSend?: () => void) => Promise<RestResponse>;

/** Lets processes that share a REST service send each refresh token once: the service accepts it only once. */
export interface RefreshCoordinator {
  /** The response to the token, which this process has sent by `send`, or another one. */
  refresh(authorization: string, refreshToken: string, send: SendToken): Promise<RestResponse>;
}
