create table t(a integer primary key, b text, c real);
create index tb on t(b);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 120)
  insert into t select i, 'row' || (i * 37 % 101), i / 7.0 from n;
select count(*), sum(a), max(b), min(c), round(avg(c), 3) from t;
select b, count(*) from t group by b having count(*) > 1 order by b desc limit 5;
create table u(x references t(a), y);
insert into u select a, a % 5 from t where a % 3 = 0;
select y, group_concat(t.b, ',') from u join t on t.a = u.x where y < 3 group by y;
update t set c = c * 2 where a between 10 and 20;
delete from t where b like 'row1%';
select * from t where b = 'row37' or a in (select x from u where y = 1) order by c limit 4;
explain query plan select * from t where b = 'row37';
begin; insert into t values (1000, 'x''y', 1e10); rollback;
select upper(b), length(b), substr(b, 2, 2), coalesce(null, b), printf('%05d', a) from t limit 3;
create view v as select a, b from t where a < 30;
select * from v order by b limit 3;
create trigger tr after insert on u begin update t set c = 0 where a = new.x; end;
insert into u values (5, 9);
select case when a > 50 then 'big' else 'small' end k, count(*) from t group by 1;
select row_number() over (order by c desc) r, a from t limit 3;
insert or ignore into t(a) values (2);
select json_extract('{"a":[1,2,{"b":3}]}', '$.a[2].b');
.mode column
select a, b from t limit 4;
.mode csv
select a, b from t limit 4;
pragma integrity_check;
