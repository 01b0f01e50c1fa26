CREATE TABLE public.addressee (
    survey text NOT NULL,
    token text NOT NULL,
    wording text NOT NULL
);
CREATE TABLE public.arrival (
    survey text NOT NULL,
    period text NOT NULL,
    digest text NOT NULL,
    withheld integer NOT NULL,
    codes integer NOT NULL,
    answers integer NOT NULL,
    repeated integer NOT NULL,
    unreadable integer NOT NULL,
    again integer NOT NULL,
    ids bytea NOT NULL
);
CREATE TABLE public.audit (
    number bigint NOT NULL,
    day text NOT NULL,
    who text NOT NULL,
    did text NOT NULL,
    about text NOT NULL
);
ALTER TABLE public.audit ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.batch (
    number bigint NOT NULL,
    survey text NOT NULL,
    period text NOT NULL,
    state text NOT NULL,
    gaps integer NOT NULL,
    damaged text DEFAULT ''::text NOT NULL
);
ALTER TABLE public.batch ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.batch_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.chunk (
    key bigint NOT NULL,
    batch bigint NOT NULL,
    folded integer NOT NULL,
    n bigint NOT NULL,
    bytes bigint NOT NULL,
    body bytea NOT NULL,
    checksum bytea NOT NULL
);
CREATE TABLE public.draft (
    id text NOT NULL,
    owner text NOT NULL,
    version bigint NOT NULL,
    changed double precision NOT NULL,
    body text NOT NULL
);
CREATE TABLE public.fact (
    key text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.gone (
    digest text NOT NULL,
    name text NOT NULL,
    owner text NOT NULL,
    day text NOT NULL,
    ended double precision,
    deleted text NOT NULL
);
CREATE TABLE public.invitation (
    survey text NOT NULL,
    code bytea NOT NULL
);
CREATE TABLE public.migration (
    number integer NOT NULL,
    checksum text NOT NULL
);
CREATE TABLE public.outcome (
    survey text NOT NULL,
    period text NOT NULL,
    kind text NOT NULL,
    n bigint NOT NULL
);
CREATE TABLE public.parcel (
    batch bigint NOT NULL,
    digest text NOT NULL,
    n integer NOT NULL,
    codes integer NOT NULL,
    body bytea NOT NULL,
    reply text NOT NULL,
    day text NOT NULL
);
CREATE TABLE public.release (
    batch bigint NOT NULL,
    n bigint NOT NULL,
    tally bytea NOT NULL,
    note text NOT NULL,
    checksum bytea NOT NULL
);
CREATE TABLE public.sealing_key (
    key text NOT NULL,
    survey text NOT NULL,
    destroyed text NOT NULL
);
CREATE TABLE public.seen_1 (
    id bytea NOT NULL,
    hash bytea NOT NULL
);
CREATE TABLE public.share (
    hash bytea NOT NULL,
    survey text NOT NULL,
    name text NOT NULL,
    bound bytea NOT NULL,
    day text NOT NULL,
    until double precision NOT NULL,
    salt bytea NOT NULL,
    seal bytea NOT NULL,
    title text DEFAULT ''::text NOT NULL,
    opened text DEFAULT ''::text NOT NULL,
    ended text DEFAULT ''::text NOT NULL,
    questions text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.spent (
    batch bigint NOT NULL,
    code bytea NOT NULL
);
CREATE TABLE public.sums (
    batch bigint NOT NULL,
    version bigint NOT NULL,
    n bigint NOT NULL,
    tally bytea NOT NULL,
    shown bigint NOT NULL,
    earlier bytea CONSTRAINT sums_snapshot_not_null NOT NULL,
    checksum bytea NOT NULL
);
CREATE TABLE public.survey (
    number bigint NOT NULL,
    digest text NOT NULL,
    name text NOT NULL,
    document bytea NOT NULL,
    owner text NOT NULL,
    day text NOT NULL,
    ended double precision,
    invited integer NOT NULL,
    away bigint DEFAULT 0 NOT NULL
);
ALTER TABLE public.survey ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.survey_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.token (
    name text NOT NULL,
    hash bytea NOT NULL,
    scope text NOT NULL,
    surveys text NOT NULL,
    id text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.visit (
    hash bytea NOT NULL,
    name text NOT NULL,
    bound bytea NOT NULL,
    until double precision NOT NULL
);
INSERT INTO public.batch OVERRIDING SYSTEM VALUE VALUES (1, '5dc8925673bb7c9a0b42f16d773151a85e2c9a80bec415fe3f84a9aa1283bb4b', 'once', 'open', 0, '');
INSERT INTO public.chunk VALUES (7214509637520374642, 1, 0, 3, 9, '\x000003000000000102', '\x607942a5d3b088ac');
INSERT INTO public.fact VALUES ('timeline', '["00000001", "7713706006947996068", "16393"]');
INSERT INTO public.migration VALUES (1, '936dde6841abb85ed780accd2eee241409645cf3a130f4b7dd978f80ceeae2a1');
INSERT INTO public.migration VALUES (2, '57cc8dea0639a6b1e5fd0b20a98dfc3fb62a54c95f965411bb6615efe81033c4');
INSERT INTO public.migration VALUES (3, '7662de67130c9cfc33f38c53b6069af5b6e62b24ae19ee204d156afc91c2d555');
INSERT INTO public.migration VALUES (4, '244800f4b0f7a6552fe740dcc4429b2e636e0d95aac151468c357d7d2a9a4a81');
INSERT INTO public.migration VALUES (5, 'b6632f1f3059e005b4bd8609c6d201d350a41c2d330145dafeb5955b26e114e7');
INSERT INTO public.migration VALUES (6, 'bf0872b521c5887903bfc3941fbdac8653ea190a05a553614841fa8c03f6dd3f');
INSERT INTO public.migration VALUES (7, '1ee57e613747c87947cb69ad39fc9d15768d94eecee21da347c38ef4cc321335');
INSERT INTO public.migration VALUES (8, 'a6e165685692dfc61f44213c99d3b6eb79235e7a0bb280ac3741ac6a48a628a1');
INSERT INTO public.seen_1 VALUES ('\xffffffffffffffffffffffffffffff00', '\xa576a168');
INSERT INTO public.seen_1 VALUES ('\xffffffffffffffffffffffffffffff01', '\x31dde59b');
INSERT INTO public.seen_1 VALUES ('\xffffffffffffffffffffffffffffff02', '\xb7979eb9');
INSERT INTO public.survey OVERRIDING SYSTEM VALUE VALUES (1, '5dc8925673bb7c9a0b42f16d773151a85e2c9a80bec415fe3f84a9aa1283bb4b', 'older', '\x7b2261726d73223a5b7b227061727473223a5b7b22656e636f646572223a7b226b696e64223a226c6162656c227d2c227175657374696f6e73223a5b22776179225d2c2273706563223a7b22646f6d61696e223a5b22636172222c22627573222c2262696b65222c22666f6f74225d2c22657073696c6f6e223a312e302c226d656368616e69736d223a2252616e646f6d697a6564526573706f6e7365222c2276657273696f6e223a317d7d5d2c22776569676874223a317d5d2c22636170223a312e302c22636c6f736573223a6e756c6c2c22636f6e74616374223a22222c226772616365223a3137323830302c226b656570223a373737363030302c226d696e696d756d223a312c226d6f6465223a2261736b6564222c226e616d65223a226f6c646572222c226f70656e73223a6e756c6c2c226f776e6572223a22222c22706572696f64223a226f6e6365222c22707572706f7365223a22222c227175657374696f6e73223a5b7b22626c6f636b73223a6e756c6c2c226b696e64223a226f6e655f6f66222c226c6162656c73223a5b22636172222c22627573222c2262696b65222c22666f6f74225d2c226e616d65223a22776179222c226e6f5f616e73776572223a6e756c6c2c227072696f72223a6e756c6c2c2273656e736974697665223a6e756c6c2c22776f7264696e67223a22227d5d2c22726570656174223a226f6e6365222c22736b6577223a333630302c227469746c65223a22222c22746f706963223a226f6c646572222c2276657273696f6e223a317d', 'ann', '2026-08-03', NULL, 0, 0);
ALTER TABLE ONLY public.addressee
    ADD CONSTRAINT addressee_pkey PRIMARY KEY (survey);
ALTER TABLE ONLY public.arrival
    ADD CONSTRAINT arrival_pkey PRIMARY KEY (survey, period);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.batch
    ADD CONSTRAINT batch_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.batch
    ADD CONSTRAINT batch_survey_period_key UNIQUE (survey, period);
ALTER TABLE ONLY public.chunk
    ADD CONSTRAINT chunk_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.draft
    ADD CONSTRAINT draft_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.fact
    ADD CONSTRAINT fact_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.gone
    ADD CONSTRAINT gone_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_pkey PRIMARY KEY (survey, code);
ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.outcome
    ADD CONSTRAINT outcome_pkey PRIMARY KEY (survey, period, kind);
ALTER TABLE ONLY public.parcel
    ADD CONSTRAINT parcel_pkey PRIMARY KEY (batch);
ALTER TABLE ONLY public.release
    ADD CONSTRAINT release_pkey PRIMARY KEY (batch);
ALTER TABLE ONLY public.sealing_key
    ADD CONSTRAINT sealing_key_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.sealing_key
    ADD CONSTRAINT sealing_key_survey_key UNIQUE (survey);
ALTER TABLE ONLY public.seen_1
    ADD CONSTRAINT seen_1_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.share
    ADD CONSTRAINT share_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.spent
    ADD CONSTRAINT spent_pkey PRIMARY KEY (batch, code);
ALTER TABLE ONLY public.sums
    ADD CONSTRAINT sums_pkey PRIMARY KEY (batch);
ALTER TABLE ONLY public.survey
    ADD CONSTRAINT survey_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.survey
    ADD CONSTRAINT survey_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.visit
    ADD CONSTRAINT visit_pkey PRIMARY KEY (hash);
CREATE INDEX chunk_of_batch ON public.chunk USING btree (batch, folded, key, n, bytes);
CREATE INDEX draft_of_owner ON public.draft USING btree (owner, changed);
CREATE INDEX share_of_survey ON public.share USING btree (survey, day);
ALTER TABLE ONLY public.addressee
    ADD CONSTRAINT addressee_survey_fkey FOREIGN KEY (survey) REFERENCES public.survey(digest);
ALTER TABLE ONLY public.batch
    ADD CONSTRAINT batch_survey_fkey FOREIGN KEY (survey) REFERENCES public.survey(digest);
ALTER TABLE ONLY public.chunk
    ADD CONSTRAINT chunk_batch_fkey FOREIGN KEY (batch) REFERENCES public.batch(number);
ALTER TABLE ONLY public.parcel
    ADD CONSTRAINT parcel_batch_fkey FOREIGN KEY (batch) REFERENCES public.batch(number);
ALTER TABLE ONLY public.release
    ADD CONSTRAINT release_batch_fkey FOREIGN KEY (batch) REFERENCES public.batch(number);
ALTER TABLE ONLY public.sums
    ADD CONSTRAINT sums_batch_fkey FOREIGN KEY (batch) REFERENCES public.batch(number);
