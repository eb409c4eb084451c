/** `GET` and `PUT /user`: what agents call the user. Empty: "Owner". */
export interface UserAnswer {
  readonly name: string;
}
